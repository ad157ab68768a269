import { once } from 'node:events'
import { rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { createFakeClock, createTestCertificate, temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createTestLog } from '../testing/test-app.ts'
import { readTls, watchTls } from './tls.ts'

async function createFiles() {
  const directory = await temporaryDirectory()
  const config = {
    tls_cert: join(directory.path, 'cert.pem'),
    tls_key: join(directory.path, 'key.pem'),
  }
  async function write(name: string) {
    const { cert, key } = createTestCertificate(name)
    await writeFile(config.tls_cert, cert)
    await writeFile(config.tls_key, key)
  }
  await write('first.test')
  return { config, write, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() }
}

test('nothing set is plain HTTP', () => {
  expect(readTls({ tls_cert: undefined, tls_key: undefined })).toBeUndefined()
})

test('files that are not there or do not belong together stop the start by name', async () => {
  await using files = await createFiles()
  const absent = { ...files.config, tls_key: '/no/such/key.pem' }
  expect(() => readTls(absent)).toThrow('/no/such/key.pem')
  await writeFile(files.config.tls_key, createTestCertificate('other.test').key)
  expect(() => readTls(files.config)).toThrow('tls_cert and tls_key')
})

test('a renewed certificate is served without a restart; a broken one is not', async () => {
  await using files = await createFiles()
  const clock = createFakeClock()
  const { log, records } = createTestLog()
  await using server = createServer({ ...readTls(files.config) })
  server.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stop = watchTls({ server, config: files.config, clock, log })
  expect(await nameServed(port)).toContain('first.test')

  await files.write('second.test')
  await utimes(files.config.tls_cert, 1, 1)
  await clock.advance(60_000)
  expect(await nameServed(port)).toContain('second.test')

  await writeFile(files.config.tls_cert, 'broken')
  await clock.advance(60_000)
  expect(await nameServed(port)).toContain('second.test')
  expect(records.at(-1)).toMatchObject({ level: 'error' })
  stop()
})

test('a path that cannot be looked at is told once, and the old certificate stays until it can be', async () => {
  await using files = await createFiles()
  const { tls_cert } = files.config
  const clock = createFakeClock()
  const { log, records } = createTestLog()
  const served: object[] = []
  const server = { setSecureContext: (files: object) => void served.push(files) }
  const stop = watchTls({ server, config: files.config, clock, log })
  await rename(tls_cert, `${tls_cert}.away`)
  await symlink(tls_cert, tls_cert)
  await clock.advance(90_000)
  expect(served).toHaveLength(0)
  expect(records).toMatchObject([
    { level: 'error', error: { message: expect.stringContaining('ELOOP') } },
  ])
  await rm(tls_cert)
  await rename(`${tls_cert}.away`, tls_cert)
  await clock.advance(60_000)
  expect(served).toHaveLength(1)
  stop()
})

async function nameServed(port: number): Promise<string> {
  const socket = connect({ port, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const name = socket.getPeerCertificate().subjectaltname ?? ''
  socket.destroy()
  return name
}
