import { errorWords } from '../../api/error-words.ts'
import { type Phrases, toPhrase } from '../../api/field-phrases.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { TextField } from '../../ui/field.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useWords } from '../../words/use-words.ts'
import { pastePhrases, toPasteText } from './paste-phrases.ts'
import {
  getAt,
  isSealed,
  missingIn,
  type PasteRow,
  toSummary,
  type UsableRow,
} from './paste-rows.ts'
import { pasteWords } from './paste-words.ts'

export type RowResult = { status: 'adding' | 'added' } | { status: 'failed'; problem: string }

interface PasteRowViewProps {
  row: PasteRow
  /** What it would start is not allowed to the caller. */
  isBarred: boolean
  result: RowResult | undefined
  onChange(row: PasteRow): void
}

const tones: Record<PasteRow['entry']['status'], Tone> = {
  new: 'good',
  duplicate: 'wait',
  invalid: 'bad',
}

/** One server that was found: whether it is taken, under which name, and what is missing. */
export function PasteRowView({ row, isBarred, result, onChange }: PasteRowViewProps) {
  const words = useWords(pasteWords)
  const phrases = useWords(pastePhrases)
  const wrong = useWords(errorWords)
  const { status, name } = row.entry
  const isOver = result?.status === 'added'
  return (
    <li className="flex flex-col gap-3 rounded-xl border border-line p-4">
      <div className="flex flex-wrap items-center gap-3">
        {row.kind === 'usable' && (
          <input
            type="checkbox"
            className="size-4 accent-accent"
            aria-label={words.include(name)}
            checked={row.isIncluded && !isBarred}
            disabled={isBarred || isOver}
            onChange={(event) => onChange({ ...row, isIncluded: event.target.checked })}
          />
        )}
        <span className="font-medium [overflow-wrap:anywhere]">
          <PlainText text={name} />
        </span>
        <Badge tone={tones[status]}>{words.statuses[status]}</Badge>
        {result && <Badge tone={isOver ? 'good' : 'info'}>{words.results[result.status]}</Badge>}
      </div>
      {row.kind === 'unusable' ? (
        <p className="text-sm text-bad [overflow-wrap:anywhere]">
          <PlainText text={toInvalid(row.entry, phrases, wrong)} />
        </p>
      ) : (
        <Usable row={row} isBarred={isBarred} onChange={onChange} />
      )}
      {result?.status === 'failed' && (
        <p role="alert" className="text-sm text-bad [overflow-wrap:anywhere]">
          {result.problem}
        </p>
      )}
    </li>
  )
}

type Invalid = Extract<PasteRow, { kind: 'unusable' }>['entry']

/** Field by field where the server names them, else its own sentence. */
function toInvalid(
  { message, errors }: Invalid,
  phrases: Phrases,
  { field, phrases: fields }: (typeof errorWords)['en'],
): string {
  if (errors.length === 0) return toPasteText(message, phrases)
  return errors.map(({ path, expected }) => field(path, toPhrase(expected, fields))).join('; ')
}

interface UsableProps {
  row: UsableRow
  isBarred: boolean
  onChange(row: PasteRow): void
}

function Usable({ row, isBarred, onChange }: UsableProps) {
  const words = useWords(pasteWords)
  const phrases = useWords(pastePhrases)
  const { entry, filled, isIncluded } = row
  const isMissing = isIncluded && missingIn(row).length > 0
  return (
    <>
      <code className="text-[13px] text-soft [overflow-wrap:anywhere]">
        <PlainText text={toSummary(entry.config)} />
      </code>
      {isBarred && <p className="text-sm text-wait">{words.notAllowed}</p>}
      <TextField
        label={words.name}
        value={row.name}
        className="max-w-sm"
        onChange={(event) => onChange({ ...row, name: event.target.value })}
      />
      {entry.secrets.map(({ path, kind }) =>
        kind === 'given' ? (
          isSealed(path) && (
            <p key={path} className="text-[13px] text-soft">
              {words.given(path)}
            </p>
          )
        ) : (
          <TextField
            key={path}
            required
            type={isSealed(path) ? 'password' : 'text'}
            className="max-w-sm"
            label={words.needed(path)}
            placeholder={words.placeholder(getAt(entry.config, path))}
            value={filled[path] ?? (isSealed(path) ? '' : getAt(entry.config, path))}
            autoComplete="off"
            onChange={(event) =>
              onChange({ ...row, filled: { ...filled, [path]: event.target.value } })
            }
          />
        ),
      )}
      {isMissing && <p className="text-[13px] text-wait">{words.missing}</p>}
      {entry.warnings.map((warning) => (
        <p key={warning} className="text-[13px] text-wait">
          <PlainText text={toPasteText(warning, phrases)} />
        </p>
      ))}
    </>
  )
}
