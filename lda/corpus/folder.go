package corpus

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// folderTexts reads one document a file, of a folder and the folders in it. Documents are called by their paths in the
// folder and stand in the order of these, folder by folder; what begins with a dot is passed over.
func folderTexts(root string) (func(t *texts) error, error) {
	var names []string
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := path != "." && strings.HasPrefix(d.Name(), ".")
		if d.IsDir() {
			if hidden {
				return fs.SkipDir
			}
			return nil
		}
		if !hidden {
			names, err = memory.Append(names, path)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, &Error{File: root, Msg: "the folder has no files; each file in it should be a document"}
	}
	return func(t *texts) error {
		for _, name := range names {
			if err := fileText(t, filepath.Join(root, filepath.FromSlash(name)), name); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

func fileText(t *texts, path, name string) error {
	in, err := (&input{name: path, path: path}).lines()
	if err != nil {
		return err
	}
	defer in.close()
	for {
		ok, err := in.next()
		if err != nil {
			return err
		}
		if !ok {
			return t.end(in, strings.ToValidUTF8(name, "\ufffd"))
		}
		if err := t.add(in, in.Text, 0); err != nil {
			return err
		}
	}
}
