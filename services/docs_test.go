package services_test

import (
	"bufio"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// sources walks the project's own files with one of some endings.
func sources(t *testing.T, visit func(path string), endings ...string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch d.Name() {
		case "node_modules", ".git", ".data", "gen", "dist", "bin":
			if d.IsDir() {
				return fs.SkipDir
			}
		}
		for _, ending := range endings {
			if strings.HasSuffix(path, ending) {
				visit(path)
			}
		}
		return nil
	}))
}

const commentWidth = 120 // Columns; a tab is four.

func TestCommentsAreAtMost120ColumnsWide(t *testing.T) {
	t.Parallel()
	read := 0
	sources(t, func(path string) {
		file, err := os.Open(path)
		require.NoError(t, err)
		defer func() { _ = file.Close() }()
		lines := bufio.NewScanner(file)
		for n := 1; lines.Scan(); n++ {
			line := strings.ReplaceAll(lines.Text(), "\t", "    ")
			if text := strings.TrimSpace(line); strings.HasPrefix(text, "// ") && strings.Contains(text[3:], " ") {
				read++
				if utf8.RuneCountInString(line) > commentWidth {
					t.Errorf("%s:%d: a comment of %d columns", path, n, utf8.RuneCountInString(line))
				}
			}
		}
	}, ".go")
	require.Greater(t, read, 5000)
}

var link = regexp.MustCompile(`\]\(([^)#]+)(#[^)]*)?\)`)

func TestDocsLinkToWhatIsThere(t *testing.T) {
	t.Parallel()
	links := 0
	sources(t, func(path string) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if !strings.Contains(m[1], "://") {
				_, err := os.Stat(filepath.Join(filepath.Dir(path), m[1]))
				require.NoError(t, err, path)
				links++
			}
		}
	}, ".md")
	require.Greater(t, links, 15)
}
