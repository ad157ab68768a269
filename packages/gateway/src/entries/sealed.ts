import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** JSON that nobody can read or change who has not the key. */
export interface Sealed<T> {
  /** `bound` is what it belongs to: with any other it does not open. */
  seal(value: T, bound: string): string
  /** Undefined for one that was changed or is another's. */
  open(text: string, bound: string): T | undefined
}

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** `purpose` keeps apart what is sealed for different ends. */
export function createSealed<T>(master: Uint8Array, purpose: string): Sealed<T> {
  const key = Buffer.from(hkdfSync('sha256', master, '', purpose, 32))

  return {
    seal(value, bound) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes })
      cipher.setAAD(Buffer.from(bound))
      const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open(text, bound) {
      const bytes = Buffer.from(text, 'base64url')
      if (bytes.length <= ivBytes + tagBytes || bytes.toString('base64url') !== text) {
        return undefined
      }
      const iv = bytes.subarray(0, ivBytes)
      const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(bound))
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
      try {
        const opened = decipher.update(bytes.subarray(ivBytes + tagBytes))
        return JSON.parse(Buffer.concat([opened, decipher.final()]).toString('utf8')) as T
      } catch {
        return undefined
      }
    },
  }
}
