package job

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Head begins the specification of every run, which is all that its results depend on, and what run.json keeps so that
// a run is resumed without another argument. Embed it.
type Head struct {
	Ergodic string `json:"ergodic" resume:"any"` // version that started the run
	Job     string `json:"job" resume:"any"`     // the command
	Origin  string `json:"origin" resume:"any"`  // stands for all that the results depend on
	Seed    uint64 `json:"seed"`
}

func (h *Head) head() *Head { return h }

// Spec is a pointer to a struct that embeds [Head]. Its other fields are inputs, with a tag what that names one and several ("data file/data files"),
// settings under the names of their flags, and structs of settings. A tag resume says what of a field may differ when a
// run is resumed: "any" value, or one that "grow"s.
type Spec interface{ head() *Head }

// Differs says what of now, the specification that a resumed run was asked for, is not as it was when the run was started; "" if nothing
// is. A file may lie elsewhere. A setting that is nil, or what it is in usual, which may be nil, was not asked for.
func Differs(was, now, usual any) string {
	var d difference
	var u reflect.Value
	if usual != nil {
		u = reflect.ValueOf(usual).Elem()
	}
	d.compare(reflect.ValueOf(was).Elem(), reflect.ValueOf(now).Elem(), u)
	return d.text
}

type difference struct{ text string }

// compare looks at a struct, up to the first difference.
func (d *difference) compare(was, now, usual reflect.Value) {
	for k := 0; k < was.NumField() && d.text == ""; k++ {
		field := was.Type().Field(k)
		w, n, u := was.Field(k), now.Field(k), reflect.Value{}
		if usual.IsValid() {
			u = usual.Field(k)
		}
		what, rule := flagName(field), field.Tag.Get("resume")
		if field.Anonymous {
			d.compare(w, n, u)
			continue
		}
		switch old := w.Interface().(type) {
		case Input:
			d.files(field.Tag.Get("what"), []Input{old}, []Input{n.Interface().(Input)})
			continue
		case []Input:
			d.files(field.Tag.Get("what"), old, n.Interface().([]Input))
			continue
		}
		switch {
		case rule == "any", unasked(n), u.IsValid() && reflect.DeepEqual(n.Interface(), u.Interface()):
		case w.Kind() == reflect.Struct:
			d.compare(w, n, u)
		case text(w) == text(n):
		case rule == "grow" && n.Int() > w.Int():
		case rule == "grow":
			d.text = fmt.Sprintf("%s is %s, and the run was started with %s, which may only grow", what, text(n), text(w))
		default:
			d.text = fmt.Sprintf("%s is %s, and the run was started with %s", what, text(n), text(w))
		}
	}
}

func unasked(v reflect.Value) bool {
	return (v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice) && v.IsNil()
}

func (d *difference) files(what string, was, now []Input) {
	what, many, _ := strings.Cut(what, "/")
	if len(was) != len(now) {
		d.text = fmt.Sprintf("the run was started with %s, not %d", wording.Count(len(was), what, many), len(now))
		return
	}
	for i, o := range was {
		if o.SHA256 != now[i].SHA256 {
			d.text = fmt.Sprintf("the %s %s is not what the run was started with (sha256 %.12s…, then %.12s…)", what, now[i].Name, now[i].SHA256, o.SHA256)
			return
		}
	}
}

// flagName is the flag that fills a field, as kong names it.
func flagName(f reflect.StructField) string {
	if name := f.Tag.Get("name"); name != "" {
		return "--" + name
	}
	var b strings.Builder
	b.WriteString("--")
	for k, r := range f.Name {
		if unicode.IsUpper(r) && k > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// text writes a setting as on the command line.
func text(v reflect.Value) string {
	s := ""
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return "the default"
		}
		return text(v.Elem())
	case reflect.Slice:
		var parts []string
		for i := range v.Len() {
			parts = append(parts, fmt.Sprint(v.Index(i).Interface()))
		}
		s = strings.Join(parts, ",")
	case reflect.Map:
		s = MapText(v.Interface().(map[string]string))
	default:
		s = fmt.Sprint(v.Interface())
	}
	if s == "" {
		return "none"
	}
	return s
}

// MapText writes a setting of names and values in a fixed order.
func MapText(m map[string]string) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, k+"="+m[k])
	}
	return strings.Join(parts, ";")
}
