import type { Clock } from '@dataagent/guard'
import { isKeyRelease, type KeyId, matchesKey } from '@earendil-works/pi-tui'
import type { Text } from '../words/index.ts'

/** What keys can be bound to. */
export type KeyAction = (typeof keyTable)[number]['name']

interface KeyRow {
  name: string
  /** A key as `ctrl+o`; two presses of one within a moment as `escape escape`. */
  keys: readonly string[]
  about: Text
  /** Can be neither unbound nor bound to something else. */
  isKept?: true
}

/** Every key that means something, in the order of the help. */
export const keyTable = [
  { name: 'send', keys: ['enter'], about: { en: 'send', zh: '发送' } },
  {
    name: 'newLine',
    keys: ['shift+enter', 'alt+enter', 'ctrl+j'],
    about: { en: 'new line (also \\ and Enter)', zh: '换行（也可输入 \\ 再按 Enter）' },
  },
  {
    name: 'complete',
    keys: ['tab'],
    about: { en: 'complete /commands and @mentions', zh: '补全 /命令 和 @提及' },
  },
  {
    name: 'previous',
    keys: ['up'],
    about: { en: 'earlier message; takes back what waits', zh: '更早的消息；取回排队的消息' },
  },
  { name: 'next', keys: ['down'], about: { en: 'later message', zh: '更晚的消息' } },
  { name: 'history', keys: ['ctrl+r'], about: { en: 'search the history', zh: '搜索历史' } },
  { name: 'editor', keys: ['ctrl+g'], about: { en: 'write in $EDITOR', zh: '在 $EDITOR 中编辑' } },
  { name: 'stop', keys: ['escape'], about: { en: 'stop the agent', zh: '停止智能体' } },
  {
    name: 'editPrevious',
    keys: ['escape escape'],
    about: { en: 'edit the previous message', zh: '编辑上一条消息' },
  },
  {
    name: 'approvalMode',
    keys: ['shift+tab'],
    about: { en: 'ask for approval, or approve by itself', zh: '切换审批方式：询问或自动批准' },
  },
  {
    name: 'expand',
    keys: ['ctrl+o'],
    about: { en: 'show the last folded block whole', zh: '展开最后一个折叠块' },
  },
  { name: 'plan', keys: ['ctrl+t'], about: { en: 'show the plan', zh: '显示计划' } },
  { name: 'palette', keys: ['ctrl+p'], about: { en: 'all commands', zh: '全部命令' } },
  { name: 'redraw', keys: ['ctrl+l'], about: { en: 'draw the screen again', zh: '重绘屏幕' } },
  {
    name: 'help',
    keys: ['?'],
    about: { en: 'these keys, where nothing is typed', zh: '显示按键（输入为空时）' },
  },
  {
    name: 'clear',
    keys: ['ctrl+c'],
    about: { en: 'clear what is typed', zh: '清空输入' },
    isKept: true,
  },
  {
    name: 'quit',
    keys: ['ctrl+c ctrl+c'],
    about: { en: 'leave the program', zh: '退出程序' },
    isKept: true,
  },
  {
    name: 'exit',
    keys: ['ctrl+d'],
    about: { en: 'leave, where nothing is typed', zh: '退出（输入为空时）' },
  },
] as const satisfies readonly KeyRow[]

/** The keys of each action; none where it is unbound. */
export type KeyBindings = Readonly<Record<KeyAction, readonly string[]>>

export const defaultBindings = Object.fromEntries(
  keyTable.map(({ name, keys }) => [name, keys]),
) as unknown as KeyBindings

/** Whether the input is one of the keys of an action; presses that come twice are not seen here. */
export function isKeyOf(bindings: KeyBindings, action: KeyAction, data: string): boolean {
  return bindings[action].some((key) => isPress(data, key))
}

function isPress(data: string, key: string): boolean {
  return data === key || matchesKey(data, key as KeyId)
}

/** False: it was not for this one now, and goes on to whoever has the keys. */
export type KeyActions = Readonly<Partial<Record<KeyAction, () => boolean | undefined>>>

/** Two presses within this are one chord. */
const chordMs = 600

/**
 * Maps what the terminal sends to actions, for `Screen.onKey`. A second press within a moment is
 * first tried as the pair: `escape escape` before `escape`. An action that gives false leaves the
 * key to others; one without a function is never meant.
 */
export function createKeyHandler(
  bindings: KeyBindings,
  actions: KeyActions,
  clock: Pick<Clock, 'monotonic'>,
): (data: string) => boolean {
  const [chords, singles] = splitBindings(bindings, actions)
  let last: { key: string; at: number } | undefined

  return (data) => {
    if (isKeyRelease(data)) return false
    const before = last
    last = undefined
    const chord = chords.find(({ key }) => isPress(data, key))
    if (chord !== undefined) {
      const at = clock.monotonic()
      if (before?.key === chord.key && at - before.at <= chordMs && run(chord.name)) return true
      last = { key: chord.key, at }
    }
    return singles.some(({ key, name }) => isPress(data, key) && run(name))
  }

  function run(name: KeyAction): boolean {
    return actions[name]?.() !== false
  }
}

interface Bound {
  name: KeyAction
  key: string
}

function splitBindings(bindings: KeyBindings, actions: KeyActions): [Bound[], Bound[]] {
  const all = keyTable
    .filter(({ name }) => actions[name] !== undefined)
    .flatMap(({ name }) => bindings[name].map((keys) => ({ name, keys: keys.split(' ') })))
  const toBound = ({ name, keys }: (typeof all)[number]) => ({ name, key: keys[0] ?? '' })
  return [
    all.filter(({ keys }) => keys.length > 1).map(toBound),
    all.filter(({ keys }) => keys.length === 1).map(toBound),
  ]
}
