package draws

import (
	"os"
	"sync"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
)

// chunkChains is how many chains share a chunk, each with a part of the file to
// itself: making a file costs more than writing the rows of a short run.
const chunkChains = 8

// sharedFiles knows which chunk files hold rows that are not durable, so that
// chains that sync at the same time sync a file once.
type sharedFiles struct {
	mu    sync.Mutex
	files map[string]*sharedFile
}

type sharedFile struct {
	syncing sync.Mutex // held by the one that syncs
	// The rest is guarded by sharedFiles.mu.
	users   int // columns with rows in the file that are not durable
	writes  int
	durable int // writes that are durable
}

// dirty is a write of a column that may not be durable.
type dirty struct {
	path  string
	write int
}

// write puts b at an offset of the file, which it makes, size bytes long and
// empty, where it does not exist. list is the column's dirty files.
func (s *sharedFiles) write(path string, b []byte, offset, size int64, list []dirty) ([]dirty, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return list, err
	}
	info, err := f.Stat()
	if err == nil && info.Size() < size {
		err = f.Truncate(size)
	}
	if err == nil {
		_, err = f.WriteAt(b, offset)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return list, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	file := s.files[path]
	if file == nil {
		file = new(sharedFile)
		s.files[path] = file
	}
	file.writes++
	if n := len(list); n > 0 && list[n-1].path == path {
		list[n-1].write = file.writes
		return list, nil
	}
	file.users++
	return append(list, dirty{path, file.writes}), nil
}

// sync returns when a write is durable. Afterwards it is not dirty any more.
func (s *sharedFiles) sync(d dirty) error {
	s.mu.Lock()
	file := s.files[d.path]
	s.mu.Unlock()

	file.syncing.Lock()
	defer file.syncing.Unlock()
	s.mu.Lock()
	done, writes := file.durable >= d.write, file.writes
	s.mu.Unlock()
	if !done {
		if err := atomicfile.Sync(d.path); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !done {
		file.durable = writes
	}
	s.release(d.path, file)
	return nil
}

func (s *sharedFiles) release(path string, file *sharedFile) {
	if file.users--; file.users == 0 {
		delete(s.files, path)
	}
}
