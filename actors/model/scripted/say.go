package scripted

import (
	"strings"
	"text/template"
	"text/template/parse"
)

// saying is what a step says: its template, with the groups of the expression in its
// texts. What a user wrote is put in as text and is never read as a template.
func (s *step) saying(data map[string]any, groups []string) (string, error) {
	say := s.say
	if len(groups) > 0 {
		tree := say.Copy()
		expandTexts(tree.Root, groups)
		var err error
		if say, err = template.New(say.Name()).Funcs(functions).AddParseTree(say.Name(), tree); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	err := say.Execute(&b, data)
	return b.String(), err
}

// expandTexts changes the texts below a node.
func expandTexts(n parse.Node, groups []string) {
	switch n := n.(type) {
	case *parse.TextNode:
		n.Text = []byte(expand(string(n.Text), groups))
	case *parse.ListNode:
		if n == nil {
			return
		}
		for _, below := range n.Nodes {
			expandTexts(below, groups)
		}
	case *parse.IfNode:
		expandBranch(&n.BranchNode, groups)
	case *parse.RangeNode:
		expandBranch(&n.BranchNode, groups)
	case *parse.WithNode:
		expandBranch(&n.BranchNode, groups)
	}
}

func expandBranch(n *parse.BranchNode, groups []string) {
	expandTexts(n.List, groups)
	expandTexts(n.ElseList, groups)
}
