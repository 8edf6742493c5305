#!/usr/bin/env python3
"""oracle.py [--strict] STORE...: an independent check of Core Data SQLite stores. It shares no line with modelc.

For each store: the model in Z_MODELCACHE decodes; its entity hashes, digest and checksum equal the metadata's; the
schema predicted from it equals the real one (as a set; --strict: in order); Z_PRIMARYKEY names, numbers, parents and
maxima fit; every to-one points at a row of a fitting entity; join rows point at rows; integrity_check. Of SwiftData's:
composites are hashed and laid out by their elements; what such an element holds as bytes is JSON; an array is a keyed
archive of an array; of an enum without raw values each row has one case.
Prints one line per store; exit 1 when any is wrong.
"""
import sys, json, sqlite3, zlib, plistlib, hashlib, struct, base64, urllib.parse, shutil, tempfile, os

class Obj:
    def __init__(s, cls): s.cls = cls; s.f = {}

def unarchive(data):
    p = plistlib.loads(data); objs = p['$objects']; memo = {}
    def R(u):
        i = u.data if isinstance(u, plistlib.UID) else u
        if i == 0: return None
        if i in memo: return memo[i]
        o = objs[i]
        if isinstance(o, dict) and '$class' in o:
            cn = objs[o['$class'].data]['$classname']
            if cn in ('NSDictionary', 'NSMutableDictionary'):
                r = memo[i] = {}
                for k, v in zip(o['NS.keys'], o['NS.objects']): r[R(k)] = R(v)
                return r
            if cn in ('NSArray', 'NSMutableArray', 'NSSet', 'NSMutableSet', 'NSOrderedSet', 'NSMutableOrderedSet'):
                r = memo[i] = []
                if 'NS.objects' in o:
                    for v in o['NS.objects']: r.append(R(v))
                else:
                    j = 0
                    while 'NS.object.%d' % j in o: r.append(R(o['NS.object.%d' % j])); j += 1
                return r
            if cn in ('NSString', 'NSMutableString'): memo[i] = o.get('NS.string'); return memo[i]
            r = memo[i] = Obj(cn)
            for k, v in o.items():
                if k != '$class': r.f[k] = R(v) if isinstance(v, plistlib.UID) else v
            return r
        memo[i] = o
        return o
    return R(p['$top'].get('root') or list(p['$top'].values())[0])

def sha(b): return hashlib.sha256(b).digest()

class Model:
    def __init__(s, root):
        E = root.f['NSEntities']
        s.e = E if isinstance(E, dict) else dict(zip(E.f['searchMapping'].f['keys'], E.f['values']))
        s.memo = {}
    def parent(s, e): return e.f.get('NSSuperentity')
    def props(s, e):
        return {k: (v.f['NSUnderlyingProperty'] if v.cls == '_NSPropertyDescriptionProxy' else v) for k, v in e.f['NSProperties'].items()}
    def own(s, e):
        p = s.parent(e); up = e and (s.props(p) if p else {})
        return {k: v for k, v in s.props(e).items() if k not in up}
    def subs(s, e): return list((e.f.get('NSSubentities') or {}).values())
    def P(s, p):
        b = p.f['NSPropertyName'].encode() + struct.pack('<H', (1 if p.f.get('NSIsOptional') else 0) | (2 if p.f.get('NSIsTransient') else 0))
        return sha(b + (p.f.get('NSVersionHashModifier') or '').encode())
    def elements(s, p):
        """Of a composite, in their order; None for what is none."""
        if p.cls != 'NSCompositeAttributeDescription': return None
        lists = [v for k, v in sorted(p.f.items()) if isinstance(v, list)]
        return next((l for l in lists if l and all(isinstance(x, Obj) and 'Attribute' in x.cls for x in l)), [])
    def leaves(s, p):
        """The attributes that have columns."""
        e = s.elements(p)
        return [p] if e is None else [y for x in e if not x.f.get('NSIsTransient') for y in s.leaves(x)]
    def expr(s, x):
        if x is None: return ''
        if isinstance(x, str): return x
        return s.print_expr(x)
    def print_expr(s, x):
        f = x.f
        if 'NSKeyPath' in f: return f['NSKeyPath']
        if x.cls == 'NSKeyPathExpression':
            a = f.get('NSArguments') or []
            return s.print_expr(a[0]) if a else ''
        if x.cls == 'NSKeyPathSpecifierExpression': return f.get('NSKeyPath', '')
        if x.cls == 'NSFunctionExpression':
            return '%s(%s)' % (f.get('NSSelectorName', ''), ', '.join(s.print_expr(a) for a in f.get('NSArguments') or []))
        return repr(f)
    def H(s, p):
        if 'NSDerivationExpression' in p.f: return sha(s.expr(p.f['NSDerivationExpression']).encode())
        if s.elements(p) is not None:
            return sha(b''.join(s.H(x) for x in sorted(s.leaves(p), key=lambda x: [ord(c) for c in x.f['NSPropertyName']])))
        if 'Attribute' in p.cls:
            b = s.P(p) + struct.pack('<i', p.f.get('NSAttributeType', 0)); fl = p.f.get('NSFlagsKey', 0)
            return sha(b + (b'\1' if fl & 4 else b'') + (b'\1' if fl & 16 else b''))
        b = s.P(p); d = p.f.get('NSDestinationEntity')
        b += (p.f.get('_NSDestinationEntityName') or (d.f['NSEntityName'] if d else '')).encode()
        inv = p.f.get('_NSInverseRelationshipName') or (p.f['NSInverseRelationship'].f['NSPropertyName'] if p.f.get('NSInverseRelationship') else '')
        if inv and not (p.f.get('NSInverseRelationship') is p): b += inv.encode()
        b += struct.pack('<ii', p.f.get('NSMaxCount', 0), p.f.get('NSMinCount', 0))
        return sha(b + (b'\1\0' if p.f.get('NSIsOrdered') else b''))
    def E(s, e):
        n = e.f['NSEntityName']
        if n in s.memo: return s.memo[n]
        b = n.encode() + (b'\1' if e.f.get('NSIsAbstract') else b'\0')
        if s.parent(e): b += s.E(s.parent(e))
        ps = s.props(e)
        for k in sorted(ps, key=lambda x: [ord(c) for c in x]):
            p = ps[k]
            if p.cls == 'NSFetchedPropertyDescription': continue
            if p.f.get('NSIsTransient') and 'NSDerivationExpression' not in p.f: continue
            b += s.H(p)
        b += (e.f.get('NSVersionHashModifier') or '').encode()
        for t in sorted('.'.join(x if isinstance(x, str) else x.f['NSPropertyName'] for x in u) for u in (e.f.get('NSUniqueTuples') or [])): b += t.encode()
        s.memo[n] = sha(b); return s.memo[n]

T = {100: 'INTEGER', 200: 'INTEGER', 300: 'INTEGER', 400: 'DECIMAL', 500: 'FLOAT', 600: 'FLOAT', 700: 'VARCHAR', 800: 'INTEGER', 900: 'TIMESTAMP', 1000: 'BLOB', 1100: 'BLOB', 1200: 'VARCHAR', 1800: 'BLOB'}
BUCKET = {100: 0, 200: 0, 300: 0, 800: 0, 500: 1, 600: 1, 900: 1, 400: 2, 700: 3, 1200: 4, 1100: 5, 1800: 6, 1000: 7}

def numbering(m):
    num, order = {}, []
    def walk(e):
        num[e.f['NSEntityName']] = len(num) + 1; order.append(e)
        for x in sorted(m.subs(e), key=lambda x: x.f['NSEntityName'].lower()): walk(x)
    for e in sorted((e for e in m.e.values() if not m.parent(e)), key=lambda x: x.f['NSEntityName'].lower()): walk(e)
    return num, order

def table(m, root, num, order):
    used, out, fok, bare, values = set(), [], [], [], []
    def alloc(b):
        n, i = b, 0
        while n in used: i += 1; n = b + str(i)
        used.add(n); return n
    def walk(e):
        pr = m.own(e)
        for k in sorted(pr):
            p = pr[k]
            if 'Attribute' in p.cls and not p.f.get('NSIsTransient'):
                names = []
                for x in m.leaves(p):
                    t = x.f.get('NSAttributeType', 0); n = alloc('Z' + x.f['NSPropertyName'].upper())
                    out.append((BUCKET.get(t, 9), n, T.get(t, '?'))); names.append((n, x))
                values.append((e, p, names))
        for k in sorted(pr):
            p = pr[k]
            if p.cls == 'NSRelationshipDescription' and not p.f.get('NSIsTransient') and p.f.get('NSMaxCount') == 1:
                n = alloc('Z' + k.upper()); d = p.f.get('NSDestinationEntity')
                out.append((0, n, 'INTEGER'))
                fks.append((root, e, k, n, d))
                if d and m.subs(d): out.append((0, 'Z%d_%s' % (num[d.f['NSEntityName']], n[1:]), 'INTEGER'))
                inv = p.f.get('NSInverseRelationship')
                if inv and inv.f.get('NSIsOrdered'): fok.append((0, 'Z_FOK_' + n[1:], 'INTEGER'))
        for x in sorted(m.subs(e), key=lambda x: x.f['NSEntityName'].lower()): walk(x)
    fks = []
    walk(root)
    for o in order:
        for k, p in sorted(m.own(o).items()):
            if p.cls == 'NSRelationshipDescription' and not p.f.get('NSIsTransient') and p.f.get('NSMaxCount') != 1 and not p.f.get('NSInverseRelationship'):
                r = p.f.get('NSDestinationEntity')
                while r and m.parent(r): r = m.parent(r)
                if r is root:
                    bare.append((0, 'Z%d%s' % (num[o.f['NSEntityName']], k.upper()), 'INTEGER'))
                    if p.f.get('NSIsOrdered'): bare.append((0, 'Z_FOK_%d%s' % (num[o.f['NSEntityName']], k.upper()), 'INTEGER'))
    cols = [x for x in out if x[0] == 0] + fok + bare + [x for b in range(1, 10) for x in out if x[0] == b]
    return [('Z_PK', 'INTEGER'), ('Z_ENT', 'INTEGER'), ('Z_OPT', 'INTEGER')] + [(x[1], x[2]) for x in cols], fks, values

def unreadable(c, t, m, num, values):
    """What SwiftData could not decode in the rows of a table."""
    bad = []
    for e, p, names in values:
        kinds = ','.join(str(num[x.f['NSEntityName']]) for x in m.e.values() if is_kind(m, x, e))
        what = '%s.%s' % (e.f['NSEntityName'], p.f['NSPropertyName'])
        if m.elements(p) is not None:
            for n, x in names:
                if x.f.get('NSAttributeType') != 1000: continue
                for (v,) in c.execute('select "%s" from "%s" where "%s" is not null and Z_ENT in (%s)' % (n, t, n, kinds)):
                    try: json.loads(v)
                    except Exception: bad.append('%s: no JSON in %s' % (what, n)); break
            required = [n for n, x in names if not x.f.get('NSIsOptional')]
            if required and not p.f.get('NSIsOptional'):
                gaps = ' or '.join('"%s" is null' % n for n in required)
                if c.execute('select count(*) from "%s" where Z_ENT in (%s) and (%s)' % (t, kinds, gaps)).fetchone()[0]:
                    bad.append(what + ': lacks a required element')
        elif (p.f.get('NSAttributeValueClassName') or '').startswith('Array<'):
            for (v,) in c.execute('select "%s" from "%s" where "%s" is not null and Z_ENT in (%s)' % (names[0][0], t, names[0][0], kinds)):
                try: fits = isinstance(unarchive(v), list)
                except Exception: fits = False
                if not fits: bad.append(what + ': no archive of an array'); break
    return bad

def is_kind(m, x, e):
    while x and x is not e: x = m.parent(x)
    return x is e

def check(path, strict=False):
    bad = []
    d = tempfile.mkdtemp()
    try:
        p = os.path.join(d, 's')
        for s in ('', '-wal'):
            if os.path.exists(path + s): shutil.copyfile(path + s, p + s)
        c = sqlite3.connect(p)
        md = plistlib.loads(c.execute('select Z_PLIST from Z_METADATA').fetchone()[0])
        recorded = md['NSStoreModelVersionHashes']
        row = c.execute('select Z_CONTENT from Z_MODELCACHE').fetchone() if c.execute("select 1 from sqlite_master where name='Z_MODELCACHE'").fetchone() else None
        if not row or not row[0]: return ['no model cache'], {}
        m = Model(unarchive(zlib.decompress(row[0], -15)))
        mine = {n: m.E(e) for n, e in m.e.items()}
        for n in recorded:
            if mine.get(n) != recorded[n]: bad.append('hash of ' + n)
        if set(mine) != set(recorded): bad.append('entities differ: ' + ' '.join(sorted(set(mine) ^ set(recorded))))
        names = sorted(recorded, key=lambda x: [ord(ch) for ch in x])
        if 'NSStoreModelVersionHashesDigest' in md and md['NSStoreModelVersionHashesDigest'] != base64.b64encode(hashlib.sha512(b''.join(n.encode() + recorded[n] for n in names)).digest()).decode(): bad.append('digest')
        if 'NSStoreModelVersionChecksumKey' in md and md['NSStoreModelVersionChecksumKey'] != base64.b64encode(sha(b''.join(recorded[n] for n in names))).decode(): bad.append('checksum')
        pk = {n: (e, s, x) for e, n, s, x in c.execute('select Z_ENT,Z_NAME,Z_SUPER,Z_MAX from Z_PRIMARYKEY') if e < 16000}
        num, order = numbering(m)
        for n in num:
            if n not in pk: bad.append('Z_PRIMARYKEY lacks ' + n)
            elif pk[n][0] != num[n]: bad.append('number of %s is %d, not %d' % (n, pk[n][0], num[n]))
            elif m.parent(m.e[n]) and pk[n][1] != num[m.parent(m.e[n]).f['NSEntityName']]: bad.append('parent of ' + n)
        tables = ordered = 0
        for e in m.e.values():
            if m.parent(e): continue
            t = 'Z' + e.f['NSEntityName'].upper()
            real = [(r[1], r[2]) for r in c.execute('pragma table_info("%s")' % t)]
            want, fks, values = table(m, e, {n: pk[n][0] for n in pk} | {n: v for n, v in num.items() if n not in pk}, order)
            tables += 1; ordered += real == want
            if sorted(real) != sorted(want): bad.append('%s: extra %s, missing %s' % (t, [x for x in real if x not in want], [x for x in want if x not in real])); continue
            if strict and real != want: bad.append(t + ': order')
            top = c.execute('select max(Z_PK) from "%s"' % t).fetchone()[0] or 0
            if e.f['NSEntityName'] in pk and pk[e.f['NSEntityName']][2] < top: bad.append('%s: Z_MAX %s < %s' % (t, pk[e.f['NSEntityName']][2], top))
            bad += unreadable(c, t, m, num, values)
            kinds = set()
            def down(x):
                kinds.add(num[x.f['NSEntityName']])
                for y in m.subs(x): down(y)
            down(e)
            odd = c.execute('select count(*) from "%s" where Z_ENT is null or Z_ENT not in (%s)' % (t, ','.join(map(str, kinds)))).fetchone()[0]
            if odd: bad.append('%s: %d rows of a foreign Z_ENT' % (t, odd))
            for _, _, k, col, dest in fks:
                if not dest: continue
                r = dest
                while m.parent(r): r = m.parent(r)
                dt = 'Z' + r.f['NSEntityName'].upper(); ok = set()
                def dn(x):
                    ok.add(num[x.f['NSEntityName']])
                    for y in m.subs(x): dn(y)
                dn(dest)
                n = c.execute('select count(*) from "%s" a left join "%s" b on a."%s"=b.Z_PK where a."%s" is not null and (b.Z_PK is null or b.Z_ENT not in (%s))' % (t, dt, col, col, ','.join(map(str, ok)))).fetchone()[0]
                if n: bad.append('%s.%s: %d dangling' % (t, col, n))
        if c.execute('pragma integrity_check').fetchone()[0] != 'ok': bad.append('integrity_check')
        return bad, {'entities': len(mine), 'tables': tables, 'ordered': ordered}
    finally:
        shutil.rmtree(d)

if __name__ == '__main__':
    args = [a for a in sys.argv[1:] if a != '--strict']; fails = 0
    for a in args:
        try: bad, info = check(a, '--strict' in sys.argv)
        except Exception as x: bad, info = ['%s: %s' % (type(x).__name__, x)], {}
        fails += bool(bad)
        print('%s %s %s %s' % ('BAD' if bad else 'ok ', os.path.basename(a), info, '; '.join(bad[:4])))
    print('%d stores, %d wrong' % (len(args), fails))
    sys.exit(fails > 0)
