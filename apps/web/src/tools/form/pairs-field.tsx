import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { controlClass } from '../../ui/field.tsx'
import { useWords } from '../../words/use-words.ts'
import { newPair, type Pair } from './draft.ts'
import { formWords } from './form-words.ts'

interface PairsFieldProps {
  label: string
  /** What the button says that adds a line. */
  add: string
  pairs: readonly Pair[]
  problem?: string | undefined
  /** Where only these names may be set. */
  names?: readonly string[] | undefined
  onChange(pairs: readonly Pair[]): void
}

const secretName = /key|token|secret|pass|auth|credential|cookie|dsn/i

/** Names with their values, one line each. What is stored is known, never shown. */
export function PairsField({ label, add, pairs, problem, names, onChange }: PairsFieldProps) {
  const words = useWords(formWords)
  const set = (id: number, change: Partial<Pair>) =>
    onChange(pairs.map((pair) => (pair.id === id ? { ...pair, ...change } : pair)))
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      {pairs.map(({ id, name, value, kept }, i) => (
        <div key={id} className="flex gap-1.5">
          <input
            type="text"
            aria-label={words.pairName(label, i + 1)}
            value={name}
            readOnly={names !== undefined}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => set(id, { name: event.target.value, kept: undefined })}
            className={`${controlClass} max-w-56 font-mono text-[13px]`}
          />
          <input
            type={secretName.test(name) ? 'password' : 'text'}
            aria-label={words.pairValue(label, i + 1)}
            value={value}
            placeholder={kept && words.kept(kept.last4 ?? '')}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => set(id, { value: event.target.value })}
            className={`${controlClass} font-mono text-[13px]`}
          />
          {names === undefined && (
            <IconButton
              label={words.removePair(name)}
              onClick={() => onChange(pairs.filter((pair) => pair.id !== id))}
            >
              <X className="size-4" />
            </IconButton>
          )}
        </div>
      ))}
      {problem && (
        <p role="alert" className="text-[13px] text-bad">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {names === undefined && (
          <Button
            size="small"
            icon={<Plus aria-hidden="true" className="size-3.5" />}
            onClick={() => onChange([...pairs, newPair()])}
          >
            {add}
          </Button>
        )}
        <p className="text-[13px] text-soft">{words.sealed}</p>
      </div>
    </fieldset>
  )
}
