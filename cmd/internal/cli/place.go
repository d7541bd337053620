package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/config"
	"github.com/responses-as-code/gg/gg/local"
)

// configName is the file that a workspace may have its configuration in.
const configName = "gg.json"

// place is where something runs, and under which configuration: the flags of every command that runs
// something.
type place struct {
	workspace, worktree, config string
}

func (p *place) flags(flags *pflag.FlagSet) {
	flags.StringVar(&p.workspace, "workspace", ".", "`DIR` in which commands and relative paths start")
	flags.StringVar(&p.worktree, "worktree", "", "`DIR` that takes the place of the workspace for both")
	p.configFlag(flags)
}

func (p *place) configFlag(flags *pflag.FlagSet) {
	flags.StringVar(&p.config, "config", "", "configuration `FILE` (default: gg.json in the workspace if there, else the fresh one)")
}

// settings reads the configuration that holds here. A workspace that is none is the person's mistake; a
// configuration that cannot be used is refused whole.
func (a *app) settings(p *place) (*config.Config, error) {
	if a.Dir == "" && !filepath.IsAbs(p.workspace) {
		return nil, usage("--workspace %q: the current directory does not exist any more", p.workspace)
	}
	for _, dir := range []struct{ flag, path string }{{"--workspace", p.workspace}, {"--worktree", p.worktree}} {
		if dir.path == "" && dir.flag == "--worktree" {
			continue
		}
		info, err := os.Stat(a.path(dir.path))
		switch {
		case err != nil:
			return nil, usage("%s %q: %s", dir.flag, dir.path, reason(err))
		case !info.IsDir():
			return nil, usage("%s %q: not a directory", dir.flag, dir.path)
		}
	}
	path := p.config
	if path == "" {
		path = filepath.Join(p.workspace, configName)
		// A link that leads nowhere is there, and so refused; whatever else lies there under that name (a named
		// pipe) is not waited for.
		if _, err := os.Lstat(a.path(path)); errors.Is(err, fs.ErrNotExist) {
			return config.Fresh(), nil
		}
		if info, err := os.Stat(a.path(path)); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			return nil, refused(path, errors.New("not a regular file"))
		}
	}
	settings, err := config.Load(a.path(path), local.Grantable())
	if err != nil {
		return nil, refused(path, err)
	}
	return settings, nil
}

// session opens a session of a host here.
func (a *app) session(ctx context.Context, p *place, c local.Config) (gg.Session, error) {
	c.Subreaper = a.Subreaper
	c.FilesSwept = func(files int) { a.sweep.files = files }
	host, err := local.New(c)
	if err != nil {
		return nil, refused(p.config, err)
	}
	info := gg.SessionInfo{Workspace: a.path(p.workspace)}
	if p.worktree != "" {
		info.Worktree = a.path(p.worktree)
	}
	s, err := host.Session(ctx, info)
	if err != nil {
		return nil, internal(err)
	}
	return s, nil
}
