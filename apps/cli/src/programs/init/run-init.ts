import { exitCodes } from '../../args/index.ts'
import { toPlainLine } from '../../ui/index.ts'
import { confirm } from '../confirm.ts'
import type { Program, ProgramContext } from '../contract.ts'
import { isThere, userFileOf, writeEmptyFile } from './user-file.ts'
import { words } from './words.ts'

const modelVariables = [
  ...['DATAAGENT_MODEL', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  ...['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'TAVILY_API_KEY'],
] as const
/** With one of them a real model answers. */
const enough: readonly string[] = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'ANTHROPIC_API_KEY']

/** `dataagent init`: asks at a terminal, does all with --yes, else says what it would do. */
export const runInit: Program = async ({ flags }, context) => {
  const { stdout, stdin, lang } = context
  const say = (line: string) => void stdout.write(`${line}\n`)
  const canAsk = stdin.isTTY === true && stdout.isTTY === true
  const mode: Mode = flags.has('yes') ? 'do' : canAsk ? 'ask' : 'tell'
  say(words.title[lang])
  tellModels(context, say)
  say(`\n${words.servers[lang]}`)
  const isOk = await prepareFile(context, mode, say)
  if (isOk) await offerImport(context, mode, say)
  if (mode === 'tell') say(`\n${words.nothing[lang]}`)
  say(`\n${words.next[lang]}`)
  for (const step of words.steps) say(`  ${step[lang]}`)
  return isOk ? exitCodes.ok : exitCodes.error
}

type Mode = 'ask' | 'do' | 'tell'
type Say = (line: string) => void

/** By name alone: values are never read. */
function tellModels({ env, lang }: ProgramContext, say: Say): void {
  say(`\n${words.models[lang]}`)
  const set = modelVariables.filter((name) => env[name])
  for (const name of set) say(`  ${words.found(name)[lang]}`)
  if (!set.some((name) => enough.includes(name))) say(`  ${words.demo[lang]}`)
}

async function prepareFile(context: ProgramContext, mode: Mode, say: Say): Promise<boolean> {
  const { home, lang, options } = context
  const assistant_id = options.assistant_id ?? 'default'
  const path = userFileOf(home, assistant_id)
  if (path === undefined) {
    say(`  ${words.badAgent(toPlainLine(assistant_id, 80))[lang]}`)
    return false
  }
  if (await isThere(path)) say(`  ${words.exists(path)[lang]}`)
  else if (mode === 'tell') say(`  ${words.wouldWrite(path)[lang]}`)
  else if (await agrees(words.askWrite(path)[lang], mode, context)) {
    await writeEmptyFile(path)
    say(`  ${words.written(path)[lang]}`)
  } else say(`  ${words.notWritten[lang]}`)
  return true
}

/** What others have configured is taken over only where a person chooses it here. */
async function offerImport(context: ProgramContext, mode: Mode, say: Say): Promise<void> {
  const { lang } = context
  if (mode !== 'ask' || !(await agrees(words.askImport[lang], mode, context))) {
    say(`  ${words.importLater[lang]}`)
    return
  }
  const { runMcp } = await import('../mcp/run-mcp.ts')
  await runMcp({ words: [], flags: new Map(), rest: ['import'] }, context)
}

async function agrees(question: string, mode: Mode, context: ProgramContext): Promise<boolean> {
  if (mode === 'do') return true
  return confirm(`  ${question}`, { input: context.stdin, output: context.stdout })
}
