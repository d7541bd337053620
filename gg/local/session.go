package local

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/responses-as-code/gg/budget"
	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/workspace"
	"github.com/responses-as-code/gg/shell/store"
	"github.com/responses-as-code/gg/views"
)

// session is one conversation: its views, its offloaded files, its reach.
type session struct {
	host  *Host
	info  gg.SessionInfo
	dir   string // where commands start and relative paths too: the worktree, or else the workspace
	views *views.Set
	store *store.Dir

	// files is opened by the first call that needs it: most programs only run commands.
	files func() (*workspace.Workspace, error)

	mu      sync.Mutex
	closers []func() error // of what calls have opened
	runs    map[*run]bool  // that have not ended
	closed  bool
}

// Session starts a conversation. The workspace must be an existing directory.
func (h *Host) Session(_ context.Context, info gg.SessionInfo) (gg.Session, error) {
	if info.ID == "" {
		info.ID = "s-" + rand.Text()[:12]
	}
	info.Labels = maps.Clone(info.Labels)
	s := &session{host: h, info: info, runs: map[*run]bool{}}
	var defects []error
	if !validID(info.ID) {
		defects = append(defects, fmt.Errorf("ID of a session must be 1 to 64 letters, digits, '.', '_' and '-', got %q", info.ID))
	}
	for _, dir := range []struct{ name, path string }{{"workspace", info.Workspace}, {"worktree", info.Worktree}} {
		if dir.path == "" {
			if dir.name == "workspace" {
				defects = append(defects, errors.New("workspace must not be empty"))
			}
			continue
		}
		absolute, err := existingDir(dir.path)
		if err != nil {
			defects = append(defects, fmt.Errorf("%s %q: %w", dir.name, dir.path, err))
			continue
		}
		s.dir = absolute
	}
	if len(defects) > 0 {
		return nil, errors.Join(defects...)
	}
	var err error
	if s.views, err = views.NewSet(views.Limits{}); err != nil {
		return nil, err
	}
	if s.store, err = s.openStore(); err != nil {
		return nil, err
	}
	s.files = sync.OnceValues(s.openFiles)
	return s, nil
}

// validID reports whether the processes of a run can carry its ID in their environment.
func validID(id string) bool {
	return len(id) <= 64 && strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == ""
}

func existingDir(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", errors.New("the current directory does not exist any more")
	}
	info, err := os.Stat(absolute)
	if err != nil {
		return "", errors.Unwrap(err)
	}
	if !info.IsDir() {
		return "", errors.New("not a directory")
	}
	return absolute, nil
}

// openFiles gives the file calls the reach that commands have: with an unconfined shell granted, anywhere.
func (s *session) openFiles() (*workspace.Workspace, error) {
	c := workspace.Config{Dir: s.dir}
	if ok, _ := s.host.settings.Granted("shell.shell"); ok {
		c.Unconfined = true
	} else if c.Roots = slices.Clone(s.host.settings.Files.Roots); len(c.Roots) == 0 {
		c.Roots = []string{s.dir}
	}
	w, err := workspace.New(c)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closers = append(s.closers, w.Close)
	return w, nil
}

func (s *session) Catalogue() *gg.Catalogue { return s.host.catalogue }

func (s *session) Settings() gg.Settings { return s.host.settings.Programs.Settings }

// Begin starts a run.
func (s *session) Begin(_ context.Context, info gg.RunInfo) (gg.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, fmt.Errorf("session %q is closed", s.info.ID)
	}
	if info.ID == "" {
		info.ID = "r-" + rand.Text()[:12]
	}
	if !validID(info.ID) {
		return nil, fmt.Errorf("ID of a run must be 1 to 64 letters, digits, '.', '_' and '-', got %q", info.ID)
	}
	labels := maps.Clone(s.info.Labels)
	if labels == nil {
		labels = map[string]string{}
	}
	maps.Copy(labels, info.Labels)
	info.Labels, info.Session = labels, s.info.ID
	limits := s.host.settings.Budget()
	if info.Wall < 0 {
		return nil, fmt.Errorf("wall clock of a run must not be negative, got %v", info.Wall)
	}
	if info.Wall > 0 && (limits.Wall == 0 || info.Wall < limits.Wall) {
		limits.Wall = info.Wall
	}
	b, err := budget.New(limits, time.Now)
	if err != nil {
		return nil, err
	}
	r := newRun(s, info, b)
	if _, taken := s.host.running.LoadOrStore(info.ID, r); taken {
		return nil, fmt.Errorf("run %q is already under way", info.ID)
	}
	s.runs[r] = true
	b.Start()
	return r.wrapped(), nil
}

// forget lets go of a run that has ended.
func (s *session) forget(r *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.runs[r] {
		delete(s.runs, r)
		s.host.running.Delete(r.info.ID)
	}
}

// Close ends the runs that are still going and gives up what the session holds. Offloaded files stay: they
// are swept by age.
func (s *session) Close(ctx context.Context) error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	runs := slices.Collect(maps.Keys(s.runs))
	s.mu.Unlock()

	var faults []error
	for _, r := range runs {
		_, err := r.End(ctx)
		faults = append(faults, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.closers {
		faults = append(faults, f())
	}
	return errors.Join(append(faults, s.store.Close())...)
}
