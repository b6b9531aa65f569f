package run

import (
	"bytes"
	"os"
	"text/template"
)

// WritePage writes a page of the documentation: a template with its values.
func WritePage(path, page string, values any) error {
	t, err := template.New("page").Parse(page)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := t.Execute(&out, values); err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o666)
}
