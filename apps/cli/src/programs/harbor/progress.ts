import type { Progress } from '@dataagent/harbor'
import type { Load } from '@dataagent/schema'
import { cut } from '../../ui/index.ts'
import type { Lang } from '../../words/index.ts'
import { words } from './words.ts'

export interface ProgressOptions {
  stderr: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>
  lang: Lang
  load: Load
}

/** Shows how a run stands: in place on a terminal, else a line now and then. */
export interface ProgressView extends Disposable {
  show(progress: Progress): void
  /** A line that stays, above what is shown in place. */
  say(line: string): void
}

const plainEveryMs = 5_000

export function createProgress(options: ProgressOptions): ProgressView {
  return options.stderr.isTTY ? inPlace(options) : asLines(options)
}

const up = '\x1b[1A'
const clear = '\x1b[2K'
const hide = '\x1b[?25l'
const unhide = '\x1b[?25h'

function inPlace(options: ProgressOptions): ProgressView {
  const { stderr } = options
  let shown: string[] = []

  /** In one piece, so that nothing is seen half. */
  function redraw(lines: string[], before: string[] = []): void {
    const back = shown.length === 0 ? hide : `\r${up.repeat(shown.length)}`
    const fresh = [...before, ...lines].map((line) => `${clear}${line}\n`)
    const rest = Math.max(0, shown.length - fresh.length)
    stderr.write(`${back}${fresh.join('')}${`${clear}\n`.repeat(rest)}${up.repeat(rest)}`)
    shown = lines
  }

  return {
    show(progress) {
      const width = Math.max(20, (stderr.columns || 80) - 1)
      redraw(toLines(progress, options, width).map((line) => cut(line, width)))
    },
    say: (line) => redraw(shown, [line]),
    [Symbol.dispose]() {
      if (shown.length === 0) return
      redraw([])
      stderr.write(unhide)
    },
  }
}

function asLines(options: ProgressOptions): ProgressView {
  const { stderr } = options
  let next = plainEveryMs
  let phase: Progress['phase'] | undefined
  return {
    show(progress) {
      // Where it begins to ask, time begins anew.
      if (phase === 'reading' && progress.phase !== phase) next = plainEveryMs
      phase = progress.phase
      if (progress.elapsed_ms < next) return
      next = progress.elapsed_ms + plainEveryMs
      stderr.write(`${toLines(progress, options).join(' · ')}\n`)
    },
    say: (line) => void stderr.write(`${line}\n`),
    [Symbol.dispose]() {},
  }
}

/** Two lines: what came of it, and how fast. */
function toLines(progress: Progress, { lang, load }: ProgressOptions, width?: number): string[] {
  const { counts, under_way, total, throughput, p50_ms, p95_ms, p99_ms, elapsed_ms } = progress
  const done = total === null ? `${counts.total}` : `${counts.total}/${total}`
  const share = shareOf(progress, load)
  const bar = width === undefined || width < 60 || share === undefined ? '' : `${toBar(share)} `
  const told = (['passed', 'failed', 'error', 'timeout'] as const)
    .filter((status) => status === 'passed' || counts[status] > 0)
    .map((status) => `${words.statuses[status][lang]} ${counts[status]}`)
  const phase = progress.phase === 'running' ? [] : [words.phases[progress.phase][lang]]
  const left = leftSeconds(progress, load)
  const late =
    load.mode === 'rate' ? [`${words.late[lang]} ${toSeconds(progress.late_p99_ms)}`] : []
  return [
    `${bar}${[done, ...phase, ...told, words.underWay(under_way)[lang]].join(' · ')}`,
    [
      `${throughput.toFixed(1)}/s`,
      `p50 ${toSeconds(p50_ms)} p95 ${toSeconds(p95_ms)} p99 ${toSeconds(p99_ms)}`,
      ...late,
      words.gone(toClock(elapsed_ms / 1000))[lang],
      ...(left === undefined ? [] : [words.left(toClock(left))[lang]]),
    ].join(' · '),
  ]
}

function shareOf({ total, counts, elapsed_ms }: Progress, load: Load): number | undefined {
  if (total !== null) return total === 0 ? 1 : Math.min(1, counts.total / total)
  const { duration_seconds, warm_up_seconds } = load
  if (duration_seconds === null) return undefined
  return Math.min(1, elapsed_ms / 1000 / (duration_seconds + warm_up_seconds))
}

function leftSeconds(progress: Progress, load: Load): number | undefined {
  const { total, counts, throughput, elapsed_ms } = progress
  const { duration_seconds, warm_up_seconds } = load
  if (duration_seconds !== null)
    return Math.max(0, duration_seconds + warm_up_seconds - elapsed_ms / 1000)
  if (total === null || throughput <= 0) return undefined
  return Math.max(0, total - counts.total) / throughput
}

const barCells = 20

function toBar(share: number): string {
  const full = Math.round(share * barCells)
  return '█'.repeat(full) + '░'.repeat(barCells - full)
}

const toSeconds = (ms: number) => `${(ms / 1000).toFixed(ms < 9_995 ? 2 : 1)} s`

function toClock(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
