package agent

import "context"

// Slots of a contribution and of an Overlay.
const (
	SlotTools           = "tools"
	SlotSkills          = "skills"
	SlotHooks           = "hooks"
	SlotChannels        = "channels"
	SlotSchedules       = "schedules"
	SlotSubagents       = "subagents"
	SlotConnections     = "mcp-connections"
	SlotHostConnections = "host-connections"
	SlotArtifacts       = "artifacts"
	SlotInstructions    = "instructions"
	SlotSeeds           = "sandbox/workspace"
)

// An Extension packages what an agent can have, under short names. Agent.Mount adds
// it to an agent. It is not changed by that, so that it may be mounted again.
type Extension struct {
	// Namespace matches [A-Za-z][A-Za-z0-9_-]*, has no "__" and does not end in "_".
	Namespace   string
	Description string
	// Origin is the package, or the plugin's folder, that it came from.
	Origin string
	// Instructions are appended to those of the agent. InstructionsFor, when not nil,
	// gives them for each session in their place.
	Instructions    string
	InstructionsFor func(ctx context.Context, c *Call) (string, error)
	Tools           []*Tool
	Skills          []*Skill
	Hooks           []*Hook
	Channels        []*Channel
	Schedules       []*Schedule
	Subagents       []*Subagent
	Connections     []*Connection
	// Artifacts are kinds by their short names.
	Artifacts map[string]ArtifactKind
	// Seeds lie in workspaces as they are, without a prefix.
	Seeds []SeedFile
	// Files say where contributions come from, by "<slot>/<short name>".
	Files map[string]string
	// Notes say what of it is not mounted and why.
	Notes []string
}

// An Overlay replaces or removes one contribution of an extension.
type Overlay struct {
	// Slot has the contribution, and Name is its short name; SlotInstructions has no names.
	Slot string
	Name string
	// With takes the contribution's place: a *Tool, *Skill, *Hook, *Channel, *Schedule,
	// *Subagent, *Connection, ArtifactKind, SeedFile, or for SlotInstructions a string or a
	// function like InstructionsFor. Its own name does not count. Nil removes the contribution.
	With any
	// File is where the overlay comes from.
	File string
}

// A Mount describes an extension that was mounted on an agent.
type Mount struct {
	Namespace   string `json:"namespace"`
	Description string `json:"description,omitempty"`
	// Source is the package, or the plugin's folder, that it came from.
	Source string `json:"source,omitempty"`
	// Contributions in the order of their slots and names.
	Contributions []Contribution `json:"contributions"`
	// Notes say what of it was not mounted and why.
	Notes []string `json:"notes,omitempty"`
}

// Values of Contribution.Overlay.
const (
	OverlayReplaced = "replaced"
	OverlayRemoved  = "removed"
)

// A Contribution is one thing that an extension brings.
type Contribution struct {
	// Slot is the folder, such as "tools"; Name is the full name, <ns>__<name>. The
	// instructions have the namespace for a name, and a seed its path.
	Slot string `json:"slot"`
	Name string `json:"name"`
	// File is where it comes from.
	File string `json:"file,omitempty"`
	// Overlay is empty, or what a file of the mount did to it.
	Overlay string `json:"overlay,omitempty"`
}

// A MountFault says what of an extension, or of what lies over it, cannot be mounted.
type MountFault struct {
	Namespace string
	// Slot and Name, a short one, are empty where the whole is meant.
	Slot, Name string
	// Overlay says that the fault is an overlay's.
	Overlay bool
	// Message says what is wrong, and Fix what to do.
	Message, Fix string
}

// Error names the place and says what is wrong.
func (f *MountFault) Error() string {
	at := f.Namespace
	if f.Slot != "" {
		at += ": " + f.Slot
	}
	if f.Name != "" {
		at += "/" + f.Name
	}
	if f.Overlay {
		at = "an overlay of " + at
	}
	return "mounting " + at + ": " + f.Message + "; " + f.Fix
}
