package cli

import (
	"errors"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/retrieve"
)

// folder holds what a command has read from memento's folder. Each part is read once, at its first use.
type folder struct {
	settled   bool // whether the settings were read
	problem   error
	workspace *project.Workspace
	here      *project.Project
}

// load reads the settings.
func (c *call) load() error {
	if !c.folder.settled {
		c.folder.settled = true
		c.config, c.folder.problem = config.Load(c.Getenv)
		if errors.Is(c.folder.problem, config.ErrNoHome) {
			c.folder.problem = hinted("set HOME, or CLAUDE_CONFIG_DIR to the client's folder", "%w", c.folder.problem)
		}
	}
	return c.folder.problem
}

// reload forgets what was read and reads the settings again.
func (c *call) reload() error {
	c.folder = folder{}
	return c.load()
}

// home returns the user's home folder, "" if it is not known.
func (c *call) home() string { return config.Home(c.Getenv) }

// workspace is the list of projects. A command that changes the list calls workspaceChanged.
func (c *call) workspace() project.Workspace {
	if c.folder.workspace == nil {
		w := project.OpenWorkspace(c.config.Dir)
		c.folder.workspace = &w
	}
	return *c.folder.workspace
}

// workspaceChanged makes the next call of workspace read the list of projects again.
func (c *call) workspaceChanged() { c.folder.workspace, c.folder.here = nil, nil }

// here is the project that the working folder belongs to.
func (c *call) here() project.Project {
	if c.folder.here == nil {
		p := c.locate(c.Dir)
		c.folder.here = &p
	}
	return *c.folder.here
}

// locate is the project that the folder dir belongs to.
func (c *call) locate(dir string) project.Project { return c.workspace().Locate(dir, c.home()) }

// noteProject adds p to the list of projects, so that no other project gets its name. It returns the slug, "" for no
// project.
func (c *call) noteProject(p project.Project) (slug string, err error) {
	defer c.workspaceChanged()
	return project.Record(c.config.Dir, p, c.Now(), wait)
}

// folderLane is the lane of the project that the working folder belongs to. It writes nothing. The error is the disk's.
func (c *call) folderLane() (project.Lane, error) {
	w, found := c.workspace(), c.here()
	return project.NewLane(c.config.Dir, w.Slug(found), found.Worktree, c.config.Tag), w.Err
}

// records opens the store of all records.
func (c *call) records() record.Store { return retrieve.Open(c.config.Dir, c.Now, wait) }
