package modules

import (
	"errors"
	"io/fs"
	"path"
	"sync"

	"quicksand/hostmods"
)

// A shippedPack is a package that the program brings. Its manifest is read when a catalog
// opens, the rest at the first need: most runs import few of them, and to read and digest
// all takes a hundred times as long as to open them.
type shippedPack struct {
	name  string
	specs []string
	load  func() *pack // at most once
}

var ships struct {
	sync.Mutex
	list []shippedPack
}

// Ship makes packages that a program brings known to every catalog that is opened from then
// on: each top directory of fsys is one, with package.json, SKILL.md and its files, of which
// JavaScript may be up to MaxShipped bytes. Packages call it when they are initialized. fsys
// must not change. A file that a manifest names and that cannot be opened was not built: the
// module is skipped, with the text of the error. What breaks a rule is a defect of the
// program: Ship panics when it is in a manifest, and it is a diagnostic of catalogs when it
// is in a file.
func Ship(fsys fs.FS) {
	dirs, err := fs.ReadDir(fsys, ".")
	if err != nil {
		panic("modules: Ship: " + err.Error())
	}
	for _, dir := range dirs {
		if !dir.IsDir() {
			continue
		}
		p, err := readShipped(fsys, dir.Name())
		if err != nil {
			panic("modules: Ship: " + dir.Name() + ": " + err.Error())
		}
		ships.Lock()
		ships.list = append(ships.list, *p)
		ships.Unlock()
	}
}

func readShipped(fsys fs.FS, dir string) (*shippedPack, error) {
	sub, err := fs.Sub(fsys, dir)
	if err != nil {
		return nil, err
	}
	text, err := fs.ReadFile(fsys, path.Join(dir, "package.json"))
	if err != nil {
		return nil, err
	}
	m, err := parseManifest(text)
	if err != nil {
		return nil, err
	}
	p := &shippedPack{name: m.name}
	for i := range m.modules {
		p.specs = append(p.specs, m.specifier(&m.modules[i]))
	}
	p.load = sync.OnceValue(func() *pack {
		found, err := discover(sub, "", true, nil)
		if err != nil {
			return failedPack(m, err)
		}
		return found
	})
	return p, nil
}

// failedPack is a shipped package that cannot be read: its modules are there and say why
// they cannot be used.
func failedPack(m *manifest, err error) *pack {
	s := Status{Level: LevelError, Code: CodeDiscovery, Pack: m.name, Message: err.Error()}
	var missing errNotBuilt
	if errors.As(err, &missing) {
		s.Level, s.Code, s.Message = LevelSkipped, CodeNotBuilt, missing.Error()
	}
	p := &pack{manifest: *m, shipped: true, statuses: []Status{s}}
	for i := range m.modules {
		decl := &m.modules[i]
		p.modules = append(p.modules, found{&Module{Specifier: m.specifier(decl), Pack: m.name, Version: m.version, Kind: decl.kind}, s})
	}
	return p
}

// hostPack is the package of a host module, which is all that there is of it.
func hostPack(host *hostmods.Module) shippedPack {
	name := host.Pack()
	return shippedPack{name: name, specs: []string{name}, load: sync.OnceValue(func() *pack {
		m := &Module{Specifier: name, Pack: name, Version: hostVersion, Kind: Host}
		setHost(m, host)
		d := &discovery{pack: pack{manifest: manifest{name: name, version: hostVersion}, shipped: true, modules: []found{{Module: m}}}}
		d.digest = d.packDigest()
		skill, err := parseSkill(host.Skill)
		if err != nil {
			d.status(LevelWarning, CodeSkillInvalid, "", "SKILL.md cannot be used: %v", err)
			return &d.pack
		}
		skill.Pack, skill.Version = name, hostVersion
		d.skill = skill
		return &d.pack
	})}
}

// hostVersion is the version of the packages of host modules.
const hostVersion = "1.0.0"

// shipped are the packages that the program brings: those of Ship, and the host modules.
func shipped() []shippedPack {
	ships.Lock()
	list := append([]shippedPack(nil), ships.list...)
	ships.Unlock()
	for _, host := range hostmods.Registered() {
		list = append(list, hostPack(host))
	}
	return list
}
