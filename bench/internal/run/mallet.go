package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// ErrMissing says that a peer is not on this machine.
var ErrMissing = errors.New("missing")

// MALLET compiles a driver, a file below bench, into dir and gives the class path that it runs with: MALLET's jars are in
// $ERGODIC_MALLET, or ergodic-bench/mallet in the user's cache.
func MALLET(ctx context.Context, dir, driver string) (class string, err error) {
	jars := os.Getenv("ERGODIC_MALLET")
	if jars == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		jars = filepath.Join(cache, "ergodic-bench", "mallet")
	}
	if found, err := filepath.Glob(filepath.Join(jars, "mallet-*.jar")); err != nil || len(found) == 0 {
		return "", fmt.Errorf("%w: no mallet-*.jar in %s", ErrMissing, jars)
	}
	root, err := Root()
	if err != nil {
		return "", err
	}
	class = filepath.Join(jars, "*") + string(os.PathListSeparator) + dir
	if out, err := exec.CommandContext(ctx, "javac", "-d", dir, "-cp", class, filepath.Join(root, "bench", driver)).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: javac: %w\n%s", ErrMissing, err, out)
	}
	return class, nil
}
