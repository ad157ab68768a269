import { createHash, randomBytes } from 'node:crypto'
import type { Kv, Principal } from '@dataagent/hub'
import { createFakeClock, type FakeClock } from '@dataagent/testkit'
import {
  admin,
  createTestCraft,
  openInstallation,
  type TestInstallation,
  type TestProcess,
} from '../groups/test-groups.ts'
import type { CodeContent, Redeemed, TokenPair, Tokens } from './contract.ts'
import type { TokensOptions } from './options.ts'
import { createTokens } from './tokens.ts'

export const code_verifier = randomBytes(32).toString('base64url')
const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
export const shown = { client_id: 'dify', redirect_uri: 'https://dify.example/cb', code_verifier }
export const resource = 'https://tools.example/mcp'

/** Two processes of one installation, with a group that has a key. */
export interface TestTokens extends AsyncDisposable {
  installation: TestInstallation
  here: Tokens
  there: Tokens
  process: TestProcess
  /** Of the tokens alone: neither of the KV nor of the groups. */
  clock: FakeClock
  group_id: string
  key_id: string
  errors: unknown[]
  content: CodeContent
  /** Who they are now, by `user_id` or `user_id/user_key_id`. */
  people: Map<string, Principal>
  /** When the keys of these people end, by the same names. */
  keyEnds: Map<string, number>
  /** Redeems a code of its own. */
  authorise(change?: Partial<CodeContent>): Promise<TokenPair>
  openHere(options: Partial<TokensOptions>): Tokens
}

export async function openTokens({ kv, other }: { kv: Kv; other: Kv }): Promise<TestTokens> {
  const stack = new AsyncDisposableStack()
  const installation = stack.use(await openInstallation({ kv }))
  const process = await installation.start()
  const tools = [{ server_id: 'dataagent', tool: 'alpha' }]
  const { group } = await process.groups.create(admin, { name: 'Front desk', tools })
  const { group_id } = group
  const clock = createFakeClock({ now: Date.now() })
  const errors: unknown[] = []
  const ana: Principal = { tenant_id: 'acme', user_id: 'ana', role: 'admin' }
  const people = new Map([['ana', ana]])
  const keyEnds = new Map<string, number>()
  const openHere = (options: Partial<TokensOptions>) =>
    stack.use(
      createTokens({
        ...{ kv, clock, key: installation.key, groups: process.groups },
        ...{
          grants: installation.sql.gateway.grants,
          craft: createTestCraft(installation.masters),
        },
        toolNames: () => ['alpha'],
        stillMay: async ({ user_id, user_key_id }) => {
          const name = user_key_id === null ? user_id : `${user_id}/${user_key_id}`
          const principal = people.get(name)
          return principal && { principal, expires_at: keyEnds.get(name) ?? null }
        },
        onError: (error) => errors.push(error),
        ...options,
      }),
    )
  const [here, there] = [openHere({}), openHere({ kv: other })]
  const key_id = `${group_id}.1`
  const content: CodeContent = {
    ...{ client_id: 'dify', client_name: 'Dify', redirect_uri: shown.redirect_uri },
    ...{ code_challenge, resource, scopes: ['mcp:read', 'mcp:call'], tenant_id: 'acme' },
    ...{ group_id, user_id: null, key_id, user_key_id: null },
  }

  async function authorise(change: Partial<CodeContent> = {}): Promise<TokenPair> {
    const code = await here.createCode({ ...content, ...change })
    return toPair(await here.redeem(code, shown))
  }
  return {
    ...{ installation, here, there, process, clock, group_id, key_id, errors, content, people },
    ...{ keyEnds, authorise, openHere, [Symbol.asyncDispose]: () => stack.disposeAsync() },
  }
}

export function toPair(redeemed: Redeemed): TokenPair {
  if (redeemed.status !== 'ok') throw new Error(`refused: ${redeemed.why}`)
  return redeemed.tokens
}

/** The KV's methods, to replace some of. */
export function methodsOf(kv: Kv): TokensOptions['kv'] {
  const { get, set, delete: remove, take, setIfAbsent, publish, subscribe } = kv
  return { get, set, delete: remove, take, setIfAbsent, publish, subscribe }
}
