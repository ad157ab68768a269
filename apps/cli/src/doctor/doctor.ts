import type { Theme } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'
import { type CheckStatus, checkNames, type DoctorNeeds, type DoctorReport } from './contract.ts'
import { checkMachine } from './machine-checks.ts'
import { checkPlatform } from './platform-checks.ts'
import { checkTitles, verdicts } from './words.ts'

/** Looks at all that the program needs. Never rejects: what cannot be looked at is told. */
export async function runDoctor(needs: DoctorNeeds): Promise<DoctorReport> {
  const [machine, platform] = await Promise.all([checkMachine(needs), checkPlatform(needs)])
  const checks = [...machine, ...platform].sort(
    (a, b) => checkNames.indexOf(a.name) - checkNames.indexOf(b.name),
  )
  return { status: worstOf(checks.map(({ status }) => status)), checks }
}

function worstOf(statuses: readonly CheckStatus[]): CheckStatus {
  if (statuses.includes('fail')) return 'fail'
  return statuses.includes('warn') ? 'warn' : 'pass'
}

/** One line for each check, below it what to do. */
export function renderDoctor(
  { status, checks }: DoctorReport,
  { theme, lang }: { theme: Theme; lang: Lang },
): string[] {
  const { done, failed } = theme.glyphs
  const signs = { pass: theme.good(done), warn: theme.warn('!'), fail: theme.bad(failed) }
  const lines = checks.flatMap(({ name, status: one, text, todo }) => [
    `${signs[one]} ${theme.strong(checkTitles[name][lang])}: ${text[lang]}`,
    ...(todo ? [`  ${todo[lang]}`] : []),
  ])
  return [...lines, verdicts[status][lang]]
}

/** For `--output json`. */
export function toDoctorJson({ status, checks }: DoctorReport, lang: Lang) {
  return {
    status,
    checks: checks.map(({ name, status: one, text, todo }) => ({
      ...{ name, status: one, message: text[lang] },
      ...(todo && { todo: todo[lang] }),
    })),
  }
}
