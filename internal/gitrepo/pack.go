package gitrepo

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"io"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"

	"github.com/mementohq/memento/internal/safefile"
)

// maxPending is how many bytes of compressed objects wait in memory before they become a pack.
const maxPending = 16 << 20

// pending are objects that are not on the disk yet. They become one pack: that is two files to force to the disk
// instead of one for each object.
type pending struct {
	objects map[plumbing.Hash]entry
	order   []plumbing.Hash
	size    int
	squeeze *zlib.Writer
}

// entry is an object as it stands in a pack: its head, and its compressed content.
type entry struct {
	kind plumbing.ObjectType
	head int // the length of the head
	size int
	data []byte
}

func (e entry) content() ([]byte, error) {
	in, err := zlib.NewReader(bytes.NewReader(e.data[e.head:]))
	if err != nil {
		return nil, err
	}
	data := make([]byte, e.size)
	_, err = io.ReadFull(in, data)
	return data, err
}

func (p *pending) add(kind plumbing.ObjectType, h plumbing.Hash, data []byte) error {
	var b bytes.Buffer
	size := len(data)
	c := byte(kind)<<4 | byte(size&15)
	for size >>= 4; size != 0; size >>= 7 {
		b.WriteByte(c | 0x80)
		c = byte(size & 0x7f)
	}
	b.WriteByte(c)
	head := b.Len()
	if p.squeeze == nil {
		p.squeeze = zlib.NewWriter(&b)
	} else {
		p.squeeze.Reset(&b)
	}
	if _, err := p.squeeze.Write(data); err != nil {
		return err
	}
	if err := p.squeeze.Close(); err != nil {
		return err
	}
	if p.objects == nil {
		p.objects = map[plumbing.Hash]entry{}
	}
	p.objects[h] = entry{kind, head, len(data), b.Bytes()}
	p.order = append(p.order, h)
	p.size += b.Len()
	return nil
}

// flush writes the pending objects as a pack. On an error they stay pending.
func (r *Repo) flush() error {
	if len(r.pending.order) == 0 {
		return nil
	}
	if err := removeLeftovers(r.dir); err != nil {
		return err
	}
	if err := r.pending.write(filepath.Join(r.dir, "objects", "pack")); err != nil {
		return err
	}
	r.pending = pending{squeeze: r.pending.squeeze}
	r.store.Reindex()
	return nil
}

// write writes the pack and its index into the folder dir.
func (p *pending) write(dir string) error {
	var pack bytes.Buffer
	pack.Grow(p.size + 32)
	pack.WriteString("PACK")
	head := binary.BigEndian.AppendUint32(nil, 2)
	pack.Write(binary.BigEndian.AppendUint32(head, uint32(len(p.order))))
	index := new(idxfile.Writer)
	if err := index.OnHeader(uint32(len(p.order))); err != nil {
		return err
	}
	for _, h := range p.order {
		data := p.objects[h].data
		index.Add(h, uint64(pack.Len()), crc32.ChecksumIEEE(data))
		pack.Write(data)
	}
	sum := plumbing.Hash(sha1.Sum(pack.Bytes()))
	pack.Write(sum[:])
	if err := index.OnFooter(sum); err != nil {
		return err
	}
	return writePack(dir, pack.Bytes(), index)
}

// writePack writes a pack and its index into the folder dir, and forces both to the disk. The index comes first: go-git
// takes every pack for one that has an index, and git passes over an index without a pack. Packs are written here and
// not by go-git, which forces nothing to the disk.
func writePack(dir string, pack []byte, index *idxfile.Writer) error {
	table, err := index.Index()
	if err != nil {
		return err
	}
	var idx bytes.Buffer
	if _, err := idxfile.NewEncoder(&idx).Encode(table); err != nil {
		return err
	}
	name := filepath.Join(dir, "pack-"+hex.EncodeToString(pack[len(pack)-sha1.Size:]))
	if exists(name+".idx") && exists(name+".pack") {
		return nil // the name says what is in it
	}
	if err := safefile.Replace(name+".idx", idx.Bytes(), 0o600); err != nil {
		return err
	}
	return safefile.Replace(name+".pack", pack, 0o600)
}
