package journal

import "encoding/binary"

// Layout version 1. One Pebble under <state root>/journal. All integers are
// big-endian, <id> is a stream's id and holds no NUL, so that the NUL after it
// ends it whatever follows.
//
//	e <id> 00 <index 8>      the events of an append from that index on, up to 64
//	                         of them or 64 KiB: their NDJSON lines with a
//	                         line feed between them, and one behind the last line
//	                         of the append
//	h <id>                   head: <next index 8>
//	p <position 8>           one record per append, at the position of its first
//	                         event: <first index 8> <count 4> <id>
//	m <id>                   the open mark of a stream: the owner's bytes
//	c <key>                  a claim: <until 8> <value>; until is in Unix
//	                         nanoseconds, 0 for ever
//	x <until 8> <key>        a claim with an end, by its end
//	s <id>                   the newest snapshot: <index 8> <state>
//	n <name> 00 <topic>      a subscriber's position: <8>
//	v <space> 00 <key>       a key of a space
//	f                        the layout's version, in decimal
//
// e, h, p, m, c and x of one append are in one batch and synced; s, n and what a
// space says are not, unless asked for. The version stands in <state root>/format
// too, which is read before anything is opened for writing.
const layoutVersion = 1

const (
	kindEvent    = 'e'
	kindHead     = 'h'
	kindPosition = 'p'
	kindMark     = 'm'
	kindClaim    = 'c'
	kindExpiry   = 'x'
	kindSnapshot = 's'
	kindNamed    = 'n'
	kindSpace    = 'v'
	kindFormat   = 'f'
)

// plainKey is kind and id.
func plainKey(kind byte, id string) []byte {
	k := make([]byte, 1+len(id))
	k[0] = kind
	copy(k[1:], id)
	return k
}

// eventKeyLen is the length of the key of each event of a stream.
func eventKeyLen(id string) int { return 1 + len(id) + 1 + 8 }

// putEventKey writes the key of one event to k, which has eventKeyLen bytes.
func putEventKey(k []byte, id string, index uint64) {
	k[0] = kindEvent
	n := 1 + copy(k[1:], id)
	k[n] = 0
	binary.BigEndian.PutUint64(k[n+1:], index)
}

func eventKey(id string, index uint64) []byte {
	k := make([]byte, eventKeyLen(id))
	putEventKey(k, id, index)
	return k
}

// indexOf is the index in the key of an event.
func indexOf(key []byte) uint64 { return binary.BigEndian.Uint64(key[len(key)-8:]) }

const positionKeyLen = 9

func positionKey(at uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{kindPosition}, at)
}

// joinKey is kind, name, NUL and rest: the form of named positions and of spaces.
func joinKey(kind byte, name string, rest []byte) []byte {
	k := make([]byte, 0, 2+len(name)+len(rest))
	k = append(k, kind)
	k = append(k, name...)
	k = append(k, 0)
	return append(k, rest...)
}

// after is the first key behind all that begin with prefix; nil when there is none.
func after(prefix []byte) []byte {
	for n := len(prefix); n > 0; n-- {
		if prefix[n-1] != 0xff {
			k := append([]byte(nil), prefix[:n]...)
			k[n-1]++
			return k
		}
	}
	return nil
}

func expiryKey(until int64, key string) []byte {
	k := make([]byte, 0, 9+len(key))
	k = append(k, kindExpiry)
	k = binary.BigEndian.AppendUint64(k, uint64(until))
	return append(k, key...)
}
