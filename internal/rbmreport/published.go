package rbmreport

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/regular"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Key is a machine's file without its end, and a method.
type Key struct{ Model, Method string }

// ModelName is a machine's file without its folder and its end.
func ModelName(file string) string {
	base := file[strings.LastIndexAny(file, `/\`)+1:]
	return strings.TrimSuffix(strings.TrimSuffix(base, ".mat"), ".npz")
}

// ReadPublished reads estimates of others.
func ReadPublished(file string) (map[Key]float64, error) {
	if file == "" {
		return nil, nil
	}
	f, err := regular.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord, r.TrimLeadingSpace = 3, true
	all := map[Key]float64{}
	for line := 0; ; line++ {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if line == 0 {
			if record[0] != "model" || record[1] != "method" || record[2] != "log_z" {
				return nil, fmt.Errorf("%s: its first line is %s; it must be model,method,log_z", file, wording.Quote(strings.Join(record, ",")))
			}
			continue
		}
		x, err := strconv.ParseFloat(record[2], 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			n, _ := r.FieldPos(2)
			return nil, fmt.Errorf("%s:%d: log_z is %s; it must be a number", file, n, wording.Quote(record[2]))
		}
		all[Key{ModelName(record[0]), record[1]}] = x
	}
	return all, nil
}
