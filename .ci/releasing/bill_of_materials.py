"""The bill of materials, SPDX 2.3 as JSON: what is in the program, and what it asks the system for."""
import hashlib
import json
import re
import time
import uuid


def identifier(kind, name):
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(part):
    found = {
        "SPDXID": identifier("Package", part.name), "name": part.name,
        "downloadLocation": part.location, "filesAnalyzed": False, "supplier": part.supplier,
        "licenseConcluded": part.license, "licenseDeclared": part.license, "copyrightText": part.copyright}
    if part.version:
        found["versionInfo"] = part.version
    if part.purl:
        found["externalRefs"] = [{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": part.purl}]
    return found


def document(version, platform, binary, parts, epoch, repository, revision, authors):
    """The document of one platform's program. `parts` are those of `parts.py`."""
    data = binary.read_bytes()
    sha1 = hashlib.sha1(data).hexdigest()
    sha256 = hashlib.sha256(data).hexdigest()
    program = {
        "SPDXID": "SPDXRef-File-modelc", "fileName": "./bin/modelc", "fileTypes": ["BINARY"],
        "checksums": [
            {"algorithm": "SHA1", "checksumValue": sha1}, {"algorithm": "SHA256", "checksumValue": sha256}],
        "licenseConcluded": "NOASSERTION", "licenseInfoInFiles": ["MIT"], "copyrightText": authors}
    modelc = {
        "SPDXID": "SPDXRef-Package-modelc", "name": "modelc", "versionInfo": version,
        "downloadLocation": f"git+{repository}@{revision}" if repository else "NOASSERTION",
        "sourceInfo": f"built for {platform} from commit {revision}", "primaryPackagePurpose": "APPLICATION",
        "supplier": "Organization: The modelc authors", "filesAnalyzed": True,
        "packageVerificationCode": {
            "packageVerificationCodeValue": hashlib.sha1(sha1.encode()).hexdigest()},
        "licenseInfoFromFiles": ["MIT"], "licenseConcluded": "MIT", "licenseDeclared": "MIT",
        "copyrightText": authors}
    relations = [
        ("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-Package-modelc"),
        ("SPDXRef-Package-modelc", "CONTAINS", "SPDXRef-File-modelc")]
    relations += [
        ("SPDXRef-Package-modelc", "STATIC_LINK" if part.is_static else "DYNAMIC_LINK",
         identifier("Package", part.name)) for part in parts]
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"modelc-{version}-{platform}",
        "documentNamespace": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, sha256 + version + platform)}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch)),
            "creators": ["Tool: modelc-release", "Organization: The modelc authors"]},
        "packages": [modelc] + [package(part) for part in parts],
        "files": [program],
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
            for one, kind, other in relations],
    }, indent=2, ensure_ascii=False) + "\n"
