package agent

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
	// Slot is the folder, such as "tools"; Name is the full name, <ns>__<name>.
	Slot string `json:"slot"`
	Name string `json:"name"`
	// File is where it comes from.
	File string `json:"file,omitempty"`
	// Overlay is empty, or what a file of the mount did to it.
	Overlay string `json:"overlay,omitempty"`
}
