import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/field.tsx'
import { useWords } from '../../words/use-words.ts'
import { FieldView } from './field-view.tsx'
import type { Faults } from './form-value.ts'
import { tryWords } from './try-words.ts'
import type { Args } from './use-args.ts'

interface ArgsFormProps {
  args: Args
  about: ReactNode
  /** What the server says of the arguments, by path. */
  told: Readonly<Record<string, string>>
}

/** The arguments of a tool, as fields or as JSON. */
export function ArgsForm({ args, about, told }: ArgsFormProps) {
  const words = useWords(tryWords)
  const { form, value, text, faults, isBad, hasFields, change } = args
  const isJson = text !== undefined
  const problems = { ...told, ...toWords(faults, words.faults) }
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-2">
        <p className="text-[13px] text-soft">{about}</p>
        {hasFields && (
          <Button size="small" aria-pressed={isJson} onClick={args.switchView}>
            {isJson ? words.fields : words.json}
          </Button>
        )}
      </div>
      {isJson ? (
        <TextArea
          code
          rows={8}
          label={words.argsJson}
          problem={isBad ? words.badJson : toLine(told)}
          value={text}
          onChange={(event) => change({ text: event.target.value })}
        />
      ) : form.kind === 'group' && form.fields.length === 0 ? (
        <p className="text-sm text-soft">{words.noArgs}</p>
      ) : (
        <FieldView
          field={form}
          path=""
          {...{ value, problems }}
          onChange={(next) => change({ value: next })}
        />
      )}
    </>
  )
}

function toLine(told: Readonly<Record<string, string>>): string | undefined {
  const lines = Object.entries(told).map(([path, text]) => `${path}: ${text}`)
  return lines.length === 0 ? undefined : lines.join(' ')
}

function toWords(faults: Faults, words: (typeof tryWords)['en']['faults']) {
  return Object.fromEntries(Object.entries(faults).map(([path, fault]) => [path, words[fault]]))
}
