package docs

import "embed"

// web has the frame, the script and the style. The rest of the style is the playground's.
//
//go:embed web
var web embed.FS
