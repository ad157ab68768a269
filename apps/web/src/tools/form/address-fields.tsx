import { TextField } from '../../ui/field.tsx'
import { useWords } from '../../words/use-words.ts'
import { formWords } from './form-words.ts'
import { PairsField } from './pairs-field.tsx'
import type { PartProps } from './part-props.ts'

/** What reaches a remote server. */
export function AddressFields({ draft, problems, onChange }: PartProps) {
  const words = useWords(formWords)
  const { token } = draft
  return (
    <>
      <TextField
        required
        type="url"
        label={words.url}
        problem={problems.url}
        placeholder="https://mcp.example.com/mcp"
        value={draft.url}
        spellCheck={false}
        onChange={(event) => onChange({ ...draft, url: event.target.value })}
      />
      <TextField
        type="password"
        label={words.token}
        hint={words.tokenHint}
        value={token.value}
        placeholder={token.kept && words.kept(token.kept.last4 ?? '')}
        autoComplete="off"
        onChange={(event) => onChange({ ...draft, token: { ...token, value: event.target.value } })}
      />
      <PairsField
        label={words.headers}
        add={words.addHeader}
        pairs={draft.headers}
        problem={problems.headers}
        onChange={(headers) => onChange({ ...draft, headers })}
      />
    </>
  )
}
