import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createLookup, type LookupOptions } from './lookup.ts'
import { startNameServer, type TestNameServer } from './testing/test-name-server.ts'

const names = {
  'shop.example': ['93.184.216.34', '2606:2800:220:1::1'],
  'old.example': ['93.184.216.35'],
  'api.svc.cluster': ['10.0.0.7'],
  'mall.shop.svc.cluster': ['10.0.0.8'],
  'mall.shop': ['93.184.216.36'],
}

interface Scene extends AsyncDisposable {
  server: TestNameServer
  /** Gives the addresses alone. */
  find(hostname: string): Promise<string[]>
  write(file: 'hosts' | 'resolv.conf', text: string): Promise<void>
}

async function setUp(options: LookupOptions & { silent?: RegExp } = {}): Promise<Scene> {
  const cleanup = new AsyncDisposableStack()
  const { path } = cleanup.use(await temporaryDirectory())
  const { silent = /^$/, ...own } = options
  const server = cleanup.use(await startNameServer({ names, silent }))
  const lookup = createLookup({
    hostsFile: join(path, 'hosts'),
    resolverFile: join(path, 'resolv.conf'),
    servers: [server.address],
    system: () => Promise.reject(Object.assign(new Error('not here'), { code: 'ENOTFOUND' })),
    ...own,
  })
  return {
    server,
    find: async (hostname) => (await lookup(hostname)).map(({ address }) => address),
    write: (file, text) => writeFile(join(path, file), text),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

test('names whose servers do not answer hold up no other name, and no work on files', async () => {
  await using scene = await setUp({ silent: /^slow/, timeoutMs: 150 })
  const slow = Array.from({ length: 50 }, (_, n) => scene.find(`slow-${n}.example`))
  let hasEnded = false
  const ended = Promise.allSettled(slow).finally(() => (hasEnded = true))
  expect(await scene.find('old.example')).toEqual(['93.184.216.35'])
  await stat('/')
  expect(hasEnded).toBe(false)
  const [first] = await ended
  expect(first).toMatchObject({ status: 'rejected', reason: { code: 'EAI_AGAIN' } })
})

describe('a name', () => {
  test('has the addresses of both families', async () => {
    await using scene = await setUp()
    expect((await scene.find('shop.example')).toSorted()).toEqual(names['shop.example'].toSorted())
  })

  test('that nobody knows fails as the system says it', async () => {
    await using scene = await setUp()
    await expect(scene.find('nowhere.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })

  test('in the hosts file is asked of nobody, and a change of the file is seen', async () => {
    await using scene = await setUp()
    await scene.write('hosts', '# of ours\n10.1.2.3 Wiki wiki.corp # the wiki\nfd00::3 wiki\n')
    expect(await scene.find('wiki')).toEqual(['10.1.2.3', 'fd00::3'])
    expect(await scene.find('WIKI.corp')).toEqual(['10.1.2.3'])
    await scene.write('hosts', '10.1.2.34 wiki\n')
    expect(await scene.find('wiki')).toEqual(['10.1.2.34'])
    expect(scene.server.asked).toEqual([])
  })

  test.each(['localhost', 'app.localhost', 'localhost.'])('%s is this machine', async (name) => {
    await using scene = await setUp()
    expect(await scene.find(name)).toEqual(['127.0.0.1'])
    expect(scene.server.asked).toEqual([])
  })

  test('that is not whole is looked for in the search domains', async () => {
    await using scene = await setUp()
    await scene.write(
      'resolv.conf',
      'search other.cluster svc.cluster\noptions timeout:1 ndots:2\n',
    )
    expect(await scene.find('api')).toEqual(['10.0.0.7'])
    expect(await scene.find('mall.shop')).toEqual(['10.0.0.8'])
    expect(await scene.find('mall.shop.')).toEqual(['93.184.216.36'])
    await scene.write('resolv.conf', 'search svc.cluster\n')
    expect(await scene.find('mall.shop')).toEqual(['93.184.216.36'])
  })
})

describe('the system is asked', () => {
  test('for a name of one word that no server knows, and not for others', async () => {
    const asked: string[] = []
    const system = async (hostname: string) => {
      asked.push(hostname)
      return [{ address: '172.17.0.2', family: 4 }]
    }
    await using scene = await setUp({ system })
    expect(await scene.find('database')).toEqual(['172.17.0.2'])
    expect(await scene.find('printer.local')).toEqual(['172.17.0.2'])
    await expect(scene.find('nowhere.example')).rejects.toThrow('ENOTFOUND')
    expect(asked).toEqual(['database', 'printer.local'])
  })

  test('for two names at a time', async () => {
    let [running, most] = [0, 0]
    const system = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise(setImmediate)
      running -= 1
      return [{ address: '172.17.0.2', family: 4 }]
    }
    await using scene = await setUp({ system })
    await Promise.all(Array.from({ length: 20 }, (_, n) => scene.find(`host-${n}`)))
    expect(most).toBe(2)
  })

  test('where no name server listens', async () => {
    const system = async () => [{ address: '172.17.0.2', family: 4 }]
    await using scene = await setUp({ system, servers: ['127.0.0.1:1'] })
    expect(await scene.find('shop.example')).toEqual(['172.17.0.2'])
  })
})
