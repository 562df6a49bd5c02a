package script

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"encoding/json"
	"fmt"
	"strings"
)

// cipherCall is one whole encryption or decryption.
type cipherCall struct {
	Name    string `json:"name"`
	Encrypt bool   `json:"encrypt"`
	Key     []byte `json:"key"`
	IV      []byte `json:"iv"`
	Data    []byte `json:"data"`
	AAD     []byte `json:"aad"`
	Tag     []byte `json:"tag"`
	Padding bool   `json:"padding"`
}

// cipherOps serve createCipheriv and createDecipheriv, which gather what they are
// given, and the derivation of keys.
func cipherOps(o *ops) {
	o.sync("crypto.cipher", func(_ *vm, a args) (any, error) {
		var c cipherCall
		if err := json.Unmarshal([]byte(a.text(0)), &c); err != nil {
			return nil, err
		}
		data, tag, err := c.run()
		if err != nil {
			return nil, err
		}
		return asJSON(map[string]any{"data": data, "tag": tag})
	})
	o.sync("crypto.hkdf", func(_ *vm, a args) (any, error) {
		made, err := hashOfName(a.text(0))
		if err != nil {
			return nil, err
		}
		var parts [3][]byte
		for i := range parts {
			if parts[i], err = a.bytes(i + 1); err != nil {
				return nil, err
			}
		}
		key, err := hkdf.Key(made, parts[0], parts[1], string(parts[2]), a.integer(4))
		return fromBytes(key), err
	})
}

// cipherNames are those that getCiphers lists: AES with each size of key.
var cipherNames = func() []string {
	var names []string
	for _, bits := range []int{128, 192, 256} {
		for _, mode := range []string{"cbc", "ctr", "gcm"} {
			names = append(names, fmt.Sprintf("aes-%d-%s", bits, mode))
		}
	}
	return names
}()

func (c *cipherCall) run() (data, tag []byte, err error) {
	var bits int
	var mode string
	name := strings.ToLower(c.Name)
	if _, err := fmt.Sscanf(name, "aes-%d-%s", &bits, &mode); err != nil || !strings.Contains(strings.Join(cipherNames, " ")+" ", name+" ") {
		return nil, nil, &hostError{Name: "Error", Code: "ERR_CRYPTO_UNKNOWN_CIPHER", Message: "Unknown cipher: " + c.Name + "; there are " + strings.Join(cipherNames, ", ")}
	}
	if len(c.Key)*8 != bits {
		return nil, nil, &hostError{Name: "RangeError", Code: "ERR_CRYPTO_INVALID_KEYLEN", Message: "Invalid key length"}
	}
	block, err := aes.NewCipher(c.Key)
	if err != nil {
		return nil, nil, err
	}
	if mode == "gcm" {
		return c.sealed(block)
	}
	if len(c.IV) != aes.BlockSize {
		return nil, nil, &hostError{Name: "TypeError", Code: "ERR_CRYPTO_INVALID_IV", Message: "Invalid initialization vector"}
	}
	if mode == "ctr" {
		out := make([]byte, len(c.Data))
		cipher.NewCTR(block, c.IV).XORKeyStream(out, c.Data)
		return out, nil, nil
	}
	data, err = c.chained(block)
	return data, nil, err
}

// sealed is GCM: an encryption gives its tag apart.
func (c *cipherCall) sealed(block cipher.Block) (data, tag []byte, err error) {
	if len(c.IV) == 0 {
		return nil, nil, &hostError{Name: "TypeError", Code: "ERR_CRYPTO_INVALID_IV", Message: "Invalid initialization vector"}
	}
	gcm, err := cipher.NewGCMWithNonceSize(block, len(c.IV))
	if err != nil {
		return nil, nil, err
	}
	if c.Encrypt {
		out := gcm.Seal(nil, c.IV, c.Data, c.AAD)
		cut := len(out) - gcm.Overhead()
		return out[:cut], out[cut:], nil
	}
	data, err = gcm.Open(nil, c.IV, append(c.Data, c.Tag...), c.AAD)
	if err != nil {
		return nil, nil, &hostError{Name: "Error", Message: "Unsupported state or unable to authenticate data"}
	}
	return data, nil, nil
}

// chained is CBC, padded as PKCS #7 says unless that is switched off.
func (c *cipherCall) chained(block cipher.Block) ([]byte, error) {
	data := c.Data
	if c.Encrypt && c.Padding {
		n := aes.BlockSize - len(data)%aes.BlockSize
		data = append(bytes.Clone(data), bytes.Repeat([]byte{byte(n)}, n)...)
	}
	if len(data)%aes.BlockSize != 0 {
		return nil, &hostError{Name: "Error", Code: "ERR_OSSL_WRONG_FINAL_BLOCK_LENGTH", Message: "wrong final block length"}
	}
	out := make([]byte, len(data))
	if c.Encrypt {
		cipher.NewCBCEncrypter(block, c.IV).CryptBlocks(out, data)
		return out, nil
	}
	cipher.NewCBCDecrypter(block, c.IV).CryptBlocks(out, data)
	if !c.Padding || len(out) == 0 {
		return out, nil
	}
	n := int(out[len(out)-1])
	if n == 0 || n > aes.BlockSize || !bytes.Equal(out[len(out)-n:], bytes.Repeat([]byte{byte(n)}, n)) {
		return nil, &hostError{Name: "Error", Code: "ERR_OSSL_BAD_DECRYPT", Message: "bad decrypt"}
	}
	return out[:len(out)-n], nil
}
