package safefile

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

// With roleEnv set, the test binary acts as another memento process.
const roleEnv, pathEnv = "MEMENTO_TEST_ROLE", "MEMENTO_TEST_PATH"

// roles are the tasks of another process, with the file at path. It exits with the code they return.
var roles = map[string]func(path string) error{"hold": hold, "count": count}

func TestMain(m *testing.M) {
	if role := roles[os.Getenv(roleEnv)]; role != nil {
		if err := role(os.Getenv(pathEnv)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func process(t *testing.T, role, path string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), roleEnv+"="+role, pathEnv+"="+path)
	cmd.Stderr = os.Stderr
	return cmd
}

// hold takes the lock, prints that, and keeps it until its standard input ends.
func hold(path string) error {
	unlock, err := Lock(path, time.Minute)
	if err != nil {
		return err
	}
	defer unlock()
	fmt.Println("held")
	_, err = bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil && err.Error() != "EOF" {
		return err
	}
	return nil
}

const cycles = 20

// count adds one to the number in the file, cycles times, under the lock beside it.
func count(path string) error {
	for range cycles {
		unlock, err := Lock(path+".lock", time.Minute)
		if err != nil {
			return err
		}
		data, err := Read(path, 100)
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(string(data))
		if err != nil {
			return err
		}
		if err := Replace(path, []byte(strconv.Itoa(n+1)), 0o600); err != nil {
			return err
		}
		unlock()
	}
	return nil
}
