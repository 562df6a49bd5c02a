package slack

import (
	"regexp"
	"strings"

	"github.com/gobdk/bdk/actors/surface"
)

var (
	escaper   = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	code      = regexp.MustCompile("`[^`\n]+`")
	mdLink    = regexp.MustCompile(`!?\[([^\]\n]*)\]\((https?://[^\s()|]+|mailto:[^\s()|]+)(?:\s+"[^"\n]*")?\)`)
	mdBold    = regexp.MustCompile(`\*\*([^\s*](?:[^*\n]*[^\s*])?)\*\*|__([^\s_](?:[^_\n]*[^\s_])?)__`)
	mdItalic  = regexp.MustCompile(`(^|[\s(])\*([^\s*](?:[^*\n]*[^\s*])?)\*`)
	mdStrike  = regexp.MustCompile(`~~([^\s~](?:[^~\n]*[^\s~])?)~~`)
	mdHeading = regexp.MustCompile(`^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$`)
	mdBullet  = regexp.MustCompile(`^(\s*)[-*+]\s+`)
)

// bold stands for a mark that is not to be read again.
const bold = "\x00"

// escape takes from a text what Slack would read as a mention, a link or a channel.
func escape(s string) string { return escaper.Replace(s) }

// mrkdwn writes Markdown as Slack does. What Slack would take for a mention stays text.
func mrkdwn(text string) string {
	text = strings.ReplaceAll(text, bold, "")
	var out strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		mark := surface.FenceMark(bare)
		switch {
		case fence == "" && mark != "":
			fence = mark
			out.WriteString("```\n")
		case fence != "" && strings.HasPrefix(mark, fence) && strings.Trim(bare, mark[:1]) == "":
			fence = ""
			out.WriteString("```" + ending(line))
		case fence != "":
			out.WriteString(escape(strings.ReplaceAll(line, "```", "'''")))
		default:
			out.WriteString(spoken(strings.TrimRight(line, "\r\n")) + ending(line))
		}
	}
	return out.String()
}

func ending(line string) string {
	if strings.HasSuffix(line, "\n") {
		return "\n"
	}
	return ""
}

// spoken writes one line that is no code, but for spans of it.
func spoken(line string) string {
	quote := ""
	for strings.HasPrefix(line, ">") {
		quote, line = ">", strings.TrimPrefix(line[1:], " ")
	}
	if quote != "" {
		return quote + " " + spoken(line)
	}
	if m := mdHeading.FindStringSubmatch(line); m != nil {
		line = "**" + strings.ReplaceAll(m[1], "**", "") + "**"
	}
	line = mdBullet.ReplaceAllString(line, "${1}• ")
	var out strings.Builder
	at := 0
	for _, span := range code.FindAllStringIndex(line, -1) {
		out.WriteString(styled(line[at:span[0]]) + escape(line[span[0]:span[1]]))
		at = span[1]
	}
	return out.String() + styled(line[at:])
}

// styled writes a piece of a line without code.
func styled(s string) string {
	var out strings.Builder
	at := 0
	for _, m := range mdLink.FindAllStringSubmatchIndex(s, -1) {
		label, url := s[m[2]:m[3]], s[m[4]:m[5]]
		out.WriteString(marks(s[at:m[0]]) + "<" + escape(url))
		if label != "" {
			out.WriteString("|" + marks(strings.ReplaceAll(label, "|", "/")))
		}
		out.WriteString(">")
		at = m[1]
	}
	return out.String() + marks(s[at:])
}

func marks(s string) string {
	s = mdBold.ReplaceAllString(escape(s), bold+"${1}${2}"+bold)
	s = mdItalic.ReplaceAllString(s, "${1}_${2}_")
	s = mdStrike.ReplaceAllString(s, "~${1}~")
	return strings.ReplaceAll(s, bold, "*")
}
