import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMall } from '../examples/mall/mall.ts'
import { rowsOf } from './readme/page-blocks.ts'
import { commandsOf, type RanCommands, refusalsIn, runCommands } from './readme/run-commands.ts'
import { startServerProcess } from './readme/test-server-process.ts'
import { repository } from './setup/paths.mjs'

const pages = ['docs/gateway.md', 'docs/gateway.zh-CN.md'] as const

const read = (page: string) => readFile(join(repository, page), 'utf8')

describe.each(pages)('the commands of %s run as they stand [E10.1]', (page) => {
  const cleanup = new AsyncDisposableStack()
  let ran: RanCommands
  const partWith = (text: RegExp) => ran.parts.find((part) => text.test(part)) ?? 'no such part'

  beforeAll(async () => {
    const folder = cleanup.use(await temporaryDirectory()).path
    const mall = cleanup.use(await startMall({ transport: 'sse' }))
    const server = cleanup.use(await startServerProcess(join(folder, 'data')))
    const places = {
      'http://localhost:8000': server.url,
      'the-key-of-an-administrator': server.key,
      'http://127.0.0.1:8931/sse': mall.url,
    }
    ran = await runCommands(commandsOf(await read(page)), { places, cwd: folder })
  }, 100_000)
  afterAll(() => cleanup.disposeAsync())

  test('each is answered as the page says', () => {
    expect(ran.code, ran.said).toBe(0)
    expect(ran.said.match(/^20\d /gm)?.length).toBeGreaterThan(25)
    expect(refusalsIn(ran)).toEqual([
      expect.stringMatching(/^401 POST .*jsonrpc$/),
      expect.stringMatching(/^401 POST .*\/mcp$/),
    ])
  })

  test('the group is made with its key, and lists its tools on every address', () => {
    expect(partWith(/"group_id":"shop"/)).toMatch(/"key":"mk_/)
    const lists = ran.parts.join('').match(/"name":"mall--mall4j--product--search"/g)
    expect(lists).toHaveLength(4)
    expect(partWith(/order-0042/)).toContain('structuredContent')
    expect(partWith(/^event: endpoint/m)).toContain('data: {"jsonrpc":"2.0","id":1,"result"')
  })

  test('the JSON-RPC address asks for authorisation, then gives what is asked for', () => {
    const part = partWith(/authorization_required/)
    expect(part).toContain('"authorization_url"')
    expect(part).toContain('"type":"json"')
  })

  test('a call that is held runs once it is approved', () => {
    expect(partWith(/"approval_id"/)).toMatch(/"status\\?":\s*\\?"cancelled/)
  })
})

/** What the guide must say, in the words of each language. */
const guides = [
  {
    page: 'docs/gateway.md',
    headings: {
      ...{ dify: 'Connect Dify', claude: 'Connect Claude Desktop', cursor: 'Connect Cursor' },
      ...{ http: 'Plain HTTP', trouble: 'When something does not work' },
    },
    fields: ['Server URL', 'Name', 'Server Identifier', 'Description'],
    dify: ['Save & Authorize', 'an administrator gets it', 'Allow', 'A good connection'],
    migrations: /migrations in conflict/,
    expired: /`sessionToken` expired/,
    noEvent: /no `endpoint` event/,
  },
  {
    page: 'docs/gateway.zh-CN.md',
    headings: {
      ...{ dify: '连接 Dify', claude: '连接 Claude Desktop', cursor: '连接 Cursor' },
      ...{ http: '直接使用 HTTP', trouble: '故障排除' },
    },
    fields: ['服务端点 URL', '名称', '服务器标识符', '描述'],
    dify: ['保存并授权', '由管理员按上文取得', '允许', '连接成功时'],
    migrations: /迁移冲突/,
    expired: /`sessionToken` 过期/,
    noEvent: /没有 `endpoint` 事件/,
  },
] as const

describe.each(guides)('what $page says [E10.1]', (guide) => {
  const sectionOf = async (heading: string) => {
    const found = (await read(guide.page)).split(/^## /m).find((part) => part.startsWith(heading))
    if (found === undefined) throw new Error(`no section ${heading}`)
    return found
  }
  const configOf = async (heading: string) =>
    JSON.parse(/^```json\n([\s\S]*?)^```$/m.exec(await sectionOf(heading))?.[1] ?? '')

  test('each way to connect has its section', async () => {
    for (const heading of Object.values(guide.headings)) {
      expect((await sectionOf(heading)).length).toBeGreaterThan(200)
    }
  })

  test('the fields of Dify, where the key is, and what a good connection shows', async () => {
    const section = await sectionOf(guide.headings.dify)
    const rows = rowsOf(section)
    for (const field of guide.fields) {
      expect([field, rows.find(([name]) => name === field)?.[1]]).toEqual([
        field,
        expect.stringMatching(/\S/),
      ])
    }
    const address = rows.find(([name]) => name === guide.fields[0])?.[1]
    for (const path of ['/mcp/v1/sse', '/mcp`', '/api/v1/mcp/jsonrpc', '/mcp/g/{group_id}']) {
      expect(address).toContain(path)
    }
    for (const words of [...guide.dify, 'MCP_SERVER_NAME', 'MCP_SERVER_IDENTIFIER']) {
      expect(section).toContain(words)
    }
  })

  test('the configurations of Claude Desktop and Cursor can be pasted', async () => {
    expect(await configOf(guide.headings.claude)).toEqual({
      mcpServers: {
        dataagent: { command: 'npx', args: ['-y', 'mcp-remote', 'http://localhost:8000/mcp'] },
      },
    })
    expect(await configOf(guide.headings.cursor)).toEqual({
      mcpServers: {
        dataagent: {
          url: 'http://localhost:8000/mcp',
          headers: { Authorization: expect.stringMatching(/^Bearer mk_/) },
        },
      },
    })
  })

  test('six cases of trouble have a cause and a cure', async () => {
    const rows = rowsOf(await sectionOf(guide.headings.trouble))
    const cases = [
      [/authorization_required/, /params\.apiKey/, /authorization_url/],
      [/Authentication required/, /sessionToken/, /initialize/],
      [guide.noEvent, /text\/event-stream/, /proxy_buffering off/],
      [/The stores are away/, /Redis/, /REDIS_URL/],
      [guide.migrations, /head/, /DATABASE_URL/],
      [guide.expired, /MCP_SESSION_TTL_SECONDS/, /initialize/],
    ] as const
    for (const [what, why, cure] of cases) {
      const row = rows.find(([seen = '']) => what.test(seen))
      expect(row).toEqual([
        ...[expect.anything(), expect.stringMatching(why), expect.stringMatching(cure)],
      ])
    }
  })
})

test('both pages have the same commands and settings', async () => {
  const [english, chinese] = (await Promise.all(pages.map(read))) as [string, string]
  const plain = (text: string) => commandsOf(text).map((block) => block.replace(/\s*# .*$/gm, ''))
  expect(plain(chinese)).toEqual(plain(english))
  const settings = (text: string) => text.match(/^\| `[A-Z_]+`.*?\|/gm)
  expect(settings(chinese)).toEqual(settings(english))
  expect(chinese.match(/^## /gm)).toHaveLength(english.match(/^## /gm)?.length ?? 0)
})
