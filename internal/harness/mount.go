package harness

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
)

// A mount is a tree of files that is shown beside the workspace and cannot be written to.
type mount struct {
	// at is where it is shown.
	at string
	// about says why it cannot be written to.
	about string
	// hidden keeps it out of lists and searches of the folders above it, and leaves the
	// workspace every name that is none of its files.
	hidden bool
	// filesAlone says that the workspace has a folder of its name, so that only its
	// files are shown, and they before those of the workspace.
	filesAlone bool
	// over shows it also where the workspace has the same name.
	over bool
	list func() ([]string, error) // paths below at
	read func(rel string) ([]byte, error)

	loaded bool
	files  []string
}

// names gives the paths of its files, sorted. What cannot be listed is empty.
func (m *mount) names() []string {
	if !m.loaded {
		m.loaded = true
		m.files, _ = m.list()
		slices.Sort(m.files)
	}
	return m.files
}

// holds says whether a path is its to answer for.
func (m *mount) holds(p string) bool {
	if p != m.at && !strings.HasPrefix(p, m.at+"/") {
		return false
	}
	return !m.filesAlone || m.isFile(p)
}

// keeps says whether it keeps a path from being written to.
func (m *mount) keeps(p string) bool { return !m.hidden || m.isFile(p) }

// rel is a path below at.
func (m *mount) rel(p string) string { return strings.TrimPrefix(strings.TrimPrefix(p, m.at), "/") }

func (m *mount) isFile(p string) bool {
	_, ok := slices.BinarySearch(m.names(), m.rel(p))
	return ok
}

// isDir says whether a path is a folder: one that has files.
func (m *mount) isDir(p string) bool {
	if rel := m.rel(p); rel != "" {
		i, _ := slices.BinarySearch(m.names(), rel+"/")
		return i < len(m.files) && strings.HasPrefix(m.files[i], rel+"/")
	}
	return len(m.names()) > 0
}

// children gives what lies directly in a folder of it.
func (m *mount) children(dir string) (list []entry) {
	prefix := m.rel(dir)
	if prefix != "" {
		prefix += "/"
	}
	for _, name := range m.names() {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		first, _, folder := strings.Cut(rest, "/")
		if n := len(list); n == 0 || list[n-1].name != first {
			list = append(list, entry{name: first, dir: folder, size: -1})
		}
	}
	return list
}

// Where mounts are shown.
const (
	memoryAt  = "memory"
	outputsAt = "outputs"
	skillsAt  = ".cursor/skills"

	// principalsBelow is the folder of memory that has one for each owner.
	principalsBelow = "principals/"
)

// mountsOf lists what a call sees beside its workspace.
func (h *tools) mountsOf(ctx context.Context, c *agent.Call) (list []*mount) {
	if c.Files != nil && !h.skillsAlone {
		list = append(list,
			stored(ctx, c.Files, agent.FileScope{}, memoryAt, "it is the agent's memory of all sessions, which the host keeps"),
			stored(ctx, c.Files, agent.FileScope{Session: c.Session.ID}, outputsAt, "it holds long outputs of earlier calls"))
		list[0].list = h.withoutOthers(list[0].list, c)
		list[1].hidden = true
	}
	if !h.userFolder(c) && !h.skillsAlone {
		return list // skills lie in the workspace
	}
	for _, s := range h.Skills {
		list = append(list, skillMount(s))
	}
	return list
}

// withoutOthers leaves out the memory that belongs to other owners.
func (h *tools) withoutOthers(all func() ([]string, error), c *agent.Call) func() ([]string, error) {
	own := ""
	if h.PrincipalDir != nil {
		own = strings.TrimPrefix(h.PrincipalDir(c.Session.Auth), memoryAt+"/") + "/"
	}
	return func() ([]string, error) {
		names, err := all()
		return slices.DeleteFunc(names, func(name string) bool {
			return strings.HasPrefix(name, principalsBelow) && (own == "" || !strings.HasPrefix(name, own))
		}), err
	}
}

// stored shows files that the host keeps.
func stored(ctx context.Context, f agent.Files, scope agent.FileScope, at, about string) *mount {
	return &mount{
		at: at, about: about,
		list: func() ([]string, error) {
			names, err := f.List(ctx, scope, at+"/")
			for i := range names {
				names[i] = strings.TrimPrefix(names[i], at+"/")
			}
			return names, err
		},
		read: func(rel string) ([]byte, error) { return f.Read(ctx, scope, path.Join(at, rel)) },
	}
}

// skillMount shows a skill as it is defined.
func skillMount(s *agent.Skill) *mount {
	files := map[string][]byte{}
	for _, f := range SkillFiles(s) {
		files[strings.TrimPrefix(f.Path, skillDir(s.Name)+"/")] = f.Content
	}
	return &mount{
		at: skillDir(s.Name), about: "it belongs to the agent", over: true,
		list: func() ([]string, error) {
			names := make([]string, 0, len(files))
			for name := range files {
				names = append(names, name)
			}
			return names, nil
		},
		read: func(rel string) ([]byte, error) { return files[rel], nil },
	}
}
