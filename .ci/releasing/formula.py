"""A Homebrew formula for a tap: the built program of each platform that has an archive."""
import archives

# The platforms of the archives' names, as Homebrew calls them.
SYSTEMS = {
    "darwin-arm64": ("macos", "arm"), "darwin-x86_64": ("macos", "intel"),
    "linux-aarch64": ("linux", "arm"), "linux-x86_64": ("linux", "intel")}

FORMULA = """\
# Schema migration and model versioning for Core Data stores
class Modelc < Formula
  desc "Schema migration and model versioning for Core Data stores"
  homepage "{homepage}"
  version "{version}"
  license "MIT"

{systems}
  depends_on "libyaml"

  uses_from_macos "sqlite"
  uses_from_macos "zlib"

  def install
    libexec.install Dir["*"]
    if OS.mac?
      bin.install_symlink libexec/"bin/modelc"
    else
      # The program is built on Debian: Homebrew's libraries are named to it.
      libraries = %w[libyaml sqlite zlib].map {{ |name| Formula[name].opt_lib }}
      (bin/"modelc").write_env_script libexec/"bin/modelc", LD_LIBRARY_PATH: libraries.join(":")
    end
    man1.install_symlink Dir[libexec/"share/man/man1/*"]
    bash_completion.install_symlink libexec/"share/bash-completion/completions/modelc"
    zsh_completion.install_symlink libexec/"share/zsh/site-functions/_modelc"
    fish_completion.install_symlink libexec/"share/fish/vendor_completions.d/modelc.fish"
  end

  test do
    assert_equal version.to_s, shell_output("#{{bin}}/modelc --version").strip
    system bin/"modelc", "demo", "demo"
  end
end
"""


def write(dist, version, homepage, downloads):
    found = {}
    for archive in sorted(dist.glob(f"modelc-{version}-*.tar.gz")):
        platform = archive.name.removeprefix(f"modelc-{version}-").removesuffix(".tar.gz")
        if platform in SYSTEMS:
            system, processor = SYSTEMS[platform]
            found.setdefault(system, []).append((processor, archive))
    lines = []
    for system in sorted(found, reverse=True):
        lines.append(f"  on_{system} do\n")
        for processor, archive in sorted(found[system]):
            lines.append(
                f"    on_{processor} do\n      url \"{downloads}/{archive.name}\"\n"
                f"      sha256 \"{archives.digest(archive)}\"\n    end\n")
        lines.append("  end\n\n")
    text = FORMULA.format(homepage=homepage, version=version, systems="".join(lines).rstrip("\n") + "\n")
    (dist / "modelc.rb").write_text(text)
