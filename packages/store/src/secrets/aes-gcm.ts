import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16
// Without it Node takes a tag of 4 bytes as good.
const options = { authTagLength: tagBytes }

/** IV, ciphertext and tag in one; a fresh random IV each time. */
export function encrypt(key: KeyObject, plaintext: Buffer, aad: Buffer): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, key, iv, options).setAAD(aad)
  return Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

/** Throws when anything of it, or the additional data, is not as it was. */
export function decrypt(key: KeyObject, sealed: Buffer, aad: Buffer): Buffer {
  const iv = sealed.subarray(0, ivBytes)
  const tag = sealed.subarray(-tagBytes)
  const decipher = createDecipheriv(algorithm, key, iv, options).setAAD(aad).setAuthTag(tag)
  const ciphertext = sealed.subarray(ivBytes, Math.max(ivBytes, sealed.length - tagBytes))
  return Buffer.concat([decipher.update(ciphertext), decipher.final()])
}
