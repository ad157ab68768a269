import type { Client } from '@dataagent/client'
import type { ServerConfigInput } from '@dataagent/schema'
import type { Link } from '../../link/index.ts'
import type { TestPlatform } from '../../testing/test-platform.ts'
import type { Theme } from '../../ui/index.ts'
import { loadServers } from '../load-servers.ts'
import { testPlace } from '../test-place.ts'
import type { Asking, McpShell } from './contract.ts'

const same = (text: string) => text

export const plainTheme: Theme = {
  ...{ name: 'mono', hasColor: false, isAscii: true },
  ...{ accent: same, dim: same, strong: same, emphasis: same, strike: same, underline: same },
  ...{ good: same, bad: same, warn: same, code: same, heading: same, link: same },
  ...{ added: same, removed: same },
  glyphs: {
    ...{ prompt: '>', bullet: '-', done: '+', failed: 'x', stopped: 'o', waiting: '!' },
    ...{ pending: '.', spinner: ['.'], line: '-', blocks: ['#'], ellipsis: '...' },
  },
}

export interface TestShell extends McpShell, AsyncDisposable {
  files: Awaited<ReturnType<typeof testPlace>>
  /** What was written, as one text; forgotten then. */
  taken(): string
  /** Answers of the person, in the order of the questions; without one nobody is there. */
  answers: unknown[] | undefined
  questions: string[]
}

/**
 * What actions have around them, on a real platform. The local link of tests hands the servers of
 * files over REST, one by one.
 */
export async function testShell(
  platform: TestPlatform,
  kind: Link['kind'] = 'local',
): Promise<TestShell> {
  const files = await testPlace()
  const { client, user_id, url } = platform
  const lines: string[] = []
  const questions: string[] = []
  const setServers = (servers: readonly ServerConfigInput[]) =>
    replaceServers(client, user_id, servers)

  const shell: TestShell = {
    ...{ lang: 'en', theme: plainTheme, called: '/mcp', questions, files, place: files },
    ...{ trust: files.trust, signal: new AbortController().signal, answers: undefined },
    link: { kind, url, client, user_id },
    write: (line) => lines.push(line),
    reload: () =>
      loadServers({ ...files, lang: shell.lang, link: { setServers }, ask: async () => undefined }),
    get ask() {
      return shell.answers && asking(shell.answers, questions)
    },
    openPage: async () => false,
    taken: () => lines.splice(0).join('\n'),
    async [Symbol.asyncDispose]() {
      await setServers([])
      await files[Symbol.asyncDispose]()
    },
  }
  return shell
}

function asking(answers: unknown[], questions: string[]): Asking {
  const next = async (question: string) => {
    questions.push(question)
    return answers.shift()
  }
  return {
    confirm: async (question) => (await next(question)) === true,
    askText: async (title) => (await next(title)) as string | undefined,
    async choose(title, items) {
      const label = await next(title)
      return items.find((item) => item.label === label)?.value
    },
  }
}

/** All of the user's, for these. */
async function replaceServers(
  client: Client,
  user_id: string,
  configs: readonly ServerConfigInput[],
): Promise<void> {
  const { servers } = await client.userServers.list(user_id)
  for (const { name } of servers) await client.userServers.delete(user_id, name)
  for (const config of configs) await client.userServers.create(user_id, config)
}
