package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ErrMissing is of a peer that is not installed.
var ErrMissing = errors.New("missing")

// Mallet compiles a driver in Java beside MALLET, into dir, and gives the command line that runs it with so much memory, such as 8g. MALLET's
// jars are in $ERGODIC_MALLET, or ergodic-bench/mallet in the user's cache.
func Mallet(ctx context.Context, dir, driver, memory string) ([]string, error) {
	jars := os.Getenv("ERGODIC_MALLET")
	if jars == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, err
		}
		jars = filepath.Join(cache, "ergodic-bench", "mallet")
	}
	if found, err := filepath.Glob(filepath.Join(jars, "mallet-*.jar")); err != nil || len(found) == 0 {
		return nil, fmt.Errorf("%w: no mallet-*.jar in %s", ErrMissing, jars)
	}
	class := filepath.Join(jars, "*") + string(os.PathListSeparator) + dir
	if out, err := exec.CommandContext(ctx, "javac", "-d", dir, "-cp", class, driver).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: javac: %w\n%s", ErrMissing, err, out)
	}
	return []string{"java", "-Xmx" + memory, "-XX:+UseSerialGC", "-Djava.util.logging.config.file=" + os.DevNull, "-cp", class,
		strings.TrimSuffix(filepath.Base(driver), ".java")}, nil
}
