import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import type { ConfigFlags } from './place.ts'
import { createTrustStore } from './trust/trust-store.ts'

/** A home and a project's folder of their own. */
export async function testPlace() {
  const directory = await temporaryDirectory()
  const home = join(directory.path, 'home')
  const folder = join(directory.path, 'project')
  await mkdir(home)
  await mkdir(folder)
  const flags: ConfigFlags = {}

  async function put(path: string, content: unknown): Promise<string> {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    await chmod(path, 0o644)
    return path
  }

  return {
    ...{ assistant_id: 'main', home, folder, flags, lang: 'en' as const },
    env: { TOKEN: 'hush-hush-hush', REGION: 'east' } as Record<string, string>,
    trust: createTrustStore({ home }),
    userFile: join(home, '.deepagents', 'main', 'mcp.json'),
    put,
    putUser: (content: unknown) => put(join(home, '.deepagents', 'main', 'mcp.json'), content),
    putProject: (content: unknown) => put(join(folder, '.mcp.json'), content),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}
