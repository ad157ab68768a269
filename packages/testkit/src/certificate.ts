import { generateKeyPairSync, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

/** A self-signed certificate for tests, valid until 2049; it is its own authority. */
export function createTestCertificate(...names: string[]): { cert: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const signature = sequence(objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
  const name = sequence(der(0x31, sequence(objectId(0x55, 0x04, 0x03), der(0x0c, text('test')))))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    signature,
    name,
    sequence(der(0x17, text('250101000000Z')), der(0x17, text('491231235959Z'))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeNames(names))),
  )
  const signed = Buffer.concat([Buffer.of(0), sign('sha256', body, privateKey)])
  return {
    cert: toPem(sequence(body, signature, der(0x03, signed))),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function alternativeNames(names: string[]): Buffer {
  const entries = names.map((name) =>
    isIPv4(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, text(name)),
  )
  return sequence(objectId(0x55, 0x1d, 0x11), der(0x04, sequence(...entries)))
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts)
}

function objectId(...bytes: number[]): Buffer {
  return der(0x06, Buffer.from(bytes))
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

function text(value: string): Buffer {
  return Buffer.from(value, 'latin1')
}

function toPem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
