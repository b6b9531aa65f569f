package draws

import (
	"os"
	"sync"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
)

// chunkChains is how many chains share a chunk, each with a part of the file to
// itself: making a file costs more than writing the rows of a short run.
const chunkChains = 8

// mostOpen is how many chunk files stay open from a write until the next sync: chains that sync at the same time open each once.
const mostOpen = 64

// sharedFiles knows which chunk files hold rows that are not durable, so that
// chains that sync at the same time sync a file once.
type sharedFiles struct {
	mu    sync.Mutex
	files map[string]*sharedFile
	open  int // of these
}

type sharedFile struct {
	syncing sync.Mutex // held by the one that syncs
	// The rest is guarded by sharedFiles.mu.
	file    *os.File // nil: closed
	users   int      // columns with rows in the file that are not durable
	writes  int
	durable int // writes that are durable
}

// dirty is a write of a column that may not be durable.
type dirty struct {
	path  string
	write int
}

// write puts b at an offset of the file, which it makes, size bytes long and
// empty, where it does not exist. soon: a sync follows at once. list is the column's dirty files.
func (s *sharedFiles) write(path string, b []byte, offset, size int64, soon bool, list []dirty) ([]dirty, error) {
	n := len(list)
	again := n > 0 && list[n-1].path == path
	file, f, err := s.use(path, size, soon, !again)
	if err != nil {
		return list, err
	}
	_, err = f.WriteAt(b, offset)
	s.mu.Lock()
	defer s.mu.Unlock()
	if f != file.file {
		if e := f.Close(); err == nil {
			err = e
		}
	}
	if err != nil {
		if !again {
			s.release(path, file)
		}
		return list, err
	}
	file.writes++
	if again {
		list[n-1].write = file.writes
		return list, nil
	}
	return append(list, dirty{path, file.writes}), nil
}

// use opens a file, or finds it open, for one more user or for one that it has.
func (s *sharedFiles) use(path string, size int64, soon, more bool) (*sharedFile, *os.File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	file := s.files[path]
	if file == nil {
		file = new(sharedFile)
	}
	f := file.file
	if f == nil {
		var err error
		if f, err = openSized(path, size); err != nil {
			return nil, nil, err
		}
		if soon && s.open < mostOpen {
			file.file = f
			s.open++
		}
	}
	s.files[path] = file
	if more {
		file.users++
	}
	return file, f, nil
}

// openSized opens a file, which it makes where it does not exist, and extends it.
func openSized(path string, size int64) (*os.File, error) {
	f, err := atomicfile.Open(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Size() < size {
		err = f.Truncate(size)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// sync returns when a write is durable. Afterwards it is not dirty any more.
func (s *sharedFiles) sync(d dirty) error {
	s.mu.Lock()
	file := s.files[d.path]
	s.mu.Unlock()

	file.syncing.Lock()
	defer file.syncing.Unlock()
	s.mu.Lock()
	done, writes, f := file.durable >= d.write, file.writes, file.file
	s.mu.Unlock()
	if !done {
		if err := syncOpen(f, d.path); err != nil {
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

// syncOpen makes a written file durable, f where it is open.
func syncOpen(f *os.File, path string) error {
	if f != nil {
		return f.Sync()
	}
	return atomicfile.Sync(path)
}

// release ends a use of a file.
func (s *sharedFiles) release(path string, file *sharedFile) {
	if file.users--; file.users > 0 {
		return
	}
	delete(s.files, path)
	if file.file != nil {
		file.file.Close() // what it was written with is durable
		file.file = nil
		s.open--
	}
}
