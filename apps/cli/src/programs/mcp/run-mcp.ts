import { createTheme } from '../../ui/index.ts'
import type { Program } from '../contract.ts'

/** `dataagent mcp ACTION …`. */
export const runMcp: Program = async ({ rest }, context) => {
  const { options, env, home, lang, stdin, stdout } = context
  const { folderOf, openBarePlatform } = await import('../../platform/index.ts')
  const mcp = await import('../../mcp/index.ts')
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  process.once('SIGINT', interrupt)
  try {
    const { signal } = stop
    await using link = await openBarePlatform({ ...context, signal })
    const place = {
      ...{ env, home, folder: folderOf(context), flags: options },
      assistant_id: options.assistant_id ?? 'default',
    }
    const trust = mcp.createTrustStore({ home })
    const theme = createTheme({ name: options.theme, env, isTty: stdout.isTTY })
    const shell = mcp.createProgramShell({ link, lang, theme, signal, place, trust, stdin, stdout })
    const found = await mcp.loadServers({ ...place, link, lang, trust })
    for (const warning of mcp.warningsOf(found, lang)) context.warn(warning)
    return await mcp.runMcpAction(rest, shell)
  } finally {
    process.off('SIGINT', interrupt)
  }
}
