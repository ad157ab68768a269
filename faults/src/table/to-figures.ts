/** What faults.json has of a long run: as numbers, some of them in groups. */
export type Share = Record<string, unknown>

/** How the shares whose names begin so are told. */
interface Kind {
  share: string
  ids: string
  what: string
  /** Counted, by the path of the number. */
  often: Record<string, string>
  /** Each must be 0. */
  lost: Record<string, string>
}

const kinds: readonly Kind[] = [
  {
    share: 'kills-',
    ids: 'F17, F18, F19',
    what: 'kill -9 of the server, with tools running, approvals pending and calls by MCP clients',
    often: {
      kills: 'kills',
      effects: 'effects',
      decisions: 'decisions',
      'gatewayCalls.answered': 'calls over MCP answered',
      'gatewayCalls.unanswered': 'cut off',
      'gatewayCalls.shed': 'shed by a busy server',
      unknownOutcomes: 'outcomes told as unknown',
      'children.atKills': 'child processes at the kills',
    },
    lost: {
      lostEvents: 'events lost',
      doubleEffects: 'effects twice',
      missingEffects: 'effects missing',
      undecidedEffects: 'effects undecided',
      lostDecisions: 'decisions lost',
      refusedCalls: 'calls refused',
      'children.orphans': 'processes left',
    },
  },
  {
    share: 'restarts-',
    ids: 'F28',
    what: 'Rolling restarts of both nodes under requests in every way',
    often: { rounds: 'rounds', requests: 'requests' },
    lost: { failed: 'requests failed', refused: 'refused by the balancer' },
  },
  {
    share: 'killed-node-',
    ids: 'F27',
    what: 'A node is killed, the other goes on with its runs',
    often: {
      runs: 'runs',
      cut: 'of them cut off',
      'pickedUpAfterS.most': 's until the last was gone on with',
      unknownOutcomes: 'outcomes told as unknown',
    },
    lost: { effectsTwice: 'effects twice' },
  },
  {
    share: 'tenants',
    ids: 'T12, T13, T35',
    what: 'Calls of many tenants at once, some of which fail',
    often: { calls: 'calls', tenants: 'tenants', faults: 'faults' },
    lost: { crossed: 'answers of another tenant', wrong: 'wrong answers' },
  },
]

const head = [
  '| what was tried in long runs | on | how often | lost | day |',
  '| --- | --- | --- | --- | --- |',
]

/** The long runs of which figures are kept; nothing where there are none. */
export function toFigures(shares: Readonly<Record<string, Share>>): string {
  const lines = kinds.flatMap((kind) =>
    Object.entries(shares)
      .filter(([name]) => name.startsWith(kind.share))
      .map(([, share]) => toLine(kind, share)),
  )
  return lines.length === 0 ? '' : [...head, ...lines].join('\n')
}

function toLine({ ids, what, often, lost }: Kind, share: Share): string {
  const counts = tell(often, share, (count) => count !== undefined)
  const losses = tell(lost, share, (count) => count !== 0)
  const cells = [
    ...[`${ids}: ${what}`, `${share.database ?? ''}`, counts.join(', ')],
    ...[losses.length === 0 ? 'nothing' : `**${losses.join(', ')}**`, `${share.made ?? ''}`],
  ]
  return `| ${cells.join(' | ')} |`
}

function tell(
  words: Record<string, string>,
  share: Share,
  isTold: (count: number | undefined) => boolean,
): string[] {
  return Object.entries(words)
    .map(([path, word]) => ({ word, count: numberAt(share, path) }))
    .filter(({ count }) => isTold(count))
    .map(({ word, count }) => `${count?.toLocaleString('en') ?? 'not told:'} ${word}`)
}

function numberAt(share: Share, path: string): number | undefined {
  const found = path
    .split('.')
    .reduce<unknown>((value, key) => (value as Share | undefined)?.[key], share)
  return typeof found === 'number' ? found : undefined
}
