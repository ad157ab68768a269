import { createSecretKey, randomBytes } from 'node:crypto'
import { AppError, isAppError } from '@dataagent/schema'
import { decrypt, encrypt } from './aes-gcm.ts'
import { encodeBinding, type SecretBinding } from './binding.ts'
import { type KeyWrapper, masterKeyBytes } from './keyring.ts'

/**
 * Keeps secrets that must be read again. Each has a random key of its own, wrapped by a master key;
 * an envelope is one line of text.
 */
export interface Vault {
  /** Never the same twice. `invalid_request` for text that is not well-formed Unicode. */
  seal(plaintext: string, binding: SecretBinding): Promise<string>
  /**
   * Rejects with `secret_unreadable`, which tells nothing of the content, when the envelope was
   * changed or belongs elsewhere.
   */
  open(envelope: string, binding: SecretBinding): Promise<string>
  /**
   * The same secret under the current master key; the sealed text is not touched, nor read. The
   * envelope itself when it is current. Rejects as `open`.
   */
  rewrap(envelope: string): Promise<string>
  /**
   * Whether the envelope is under the current master key. Throws `secret_unreadable` when it is
   * none.
   */
  isCurrent(envelope: string): boolean
}

interface Envelope {
  kid: string
  wrapped: Buffer
  sealed: Buffer
}

/** Creates a vault over a keyring, or over a service that wraps keys. */
export function createVault({ keyring }: { keyring: KeyWrapper }): Vault {
  return {
    async seal(plaintext, binding) {
      if (!plaintext.isWellFormed()) {
        throw new AppError('invalid_request', 'A secret must be well-formed Unicode.')
      }
      const dataKey = randomBytes(masterKeyBytes)
      const sealed = encrypt(
        createSecretKey(dataKey),
        Buffer.from(plaintext),
        encodeBinding(binding),
      )
      return format({ kid: keyring.current, wrapped: await keyring.wrap(dataKey), sealed })
    },

    async open(envelope, binding) {
      const { kid, wrapped, sealed } = parse(envelope)
      const dataKey = await readable(() => keyring.unwrap(kid, wrapped))
      const open = async () => decrypt(createSecretKey(dataKey), sealed, encodeBinding(binding))
      return (await readable(open)).toString()
    },

    async rewrap(envelope) {
      const { kid, wrapped, sealed } = parse(envelope)
      if (kid === keyring.current) return envelope
      const dataKey = await readable(() => keyring.unwrap(kid, wrapped))
      return format({ kid: keyring.current, wrapped: await keyring.wrap(dataKey), sealed })
    },

    isCurrent: (envelope) => parse(envelope).kid === keyring.current,
  }
}

function format({ kid, wrapped, sealed }: Envelope): string {
  return `v1.${kid}.${wrapped.toString('base64url')}.${sealed.toString('base64url')}`
}

const envelopePattern = /^v1\.([\w-]{1,64})\.([\w-]+)\.([\w-]+)$/

function parse(text: string): Envelope {
  const [, kid, wrapped, sealed] = envelopePattern.exec(text) ?? []
  if (kid === undefined || wrapped === undefined || sealed === undefined) throw unreadable()
  const envelope = { kid, wrapped: fromBase64(wrapped), sealed: fromBase64(sealed) }
  // Several texts decode to the same bytes; only the one that was written counts.
  if (format(envelope) !== text) throw unreadable()
  return envelope
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64url')
}

async function readable(read: () => Promise<Buffer>): Promise<Buffer> {
  try {
    return await read()
  } catch (error) {
    throw isAppError(error) ? error : unreadable()
  }
}

function unreadable(): AppError {
  return new AppError(
    'secret_unreadable',
    'A stored secret cannot be opened: it was changed or moved. Enter it again.',
  )
}
