import { CopyButton } from '../../ui/copy-button.tsx'
import { maskedKey } from './snippets.ts'

interface SnippetProps {
  /** What it is for, read aloud. */
  label: string
  text: string
  /** Gives the key that is put in the place of the mask; absent where it cannot be had. */
  getKey?: (() => Promise<string>) | undefined
}

/** A text to paste: the key is masked on the page and whole in what is copied. */
export function Snippet({ label, text, getKey }: SnippetProps) {
  const needsKey = text.includes(maskedKey) && getKey !== undefined
  return (
    <figure aria-label={label} className="overflow-hidden rounded-xl border border-line bg-back">
      <figcaption className="flex items-center justify-between gap-2 border-b border-line py-0.5 pr-1 pl-3 text-xs text-soft">
        <span className="[overflow-wrap:anywhere]">{label}</span>
        <CopyButton
          text={needsKey ? async () => text.replaceAll(maskedKey, await getKey()) : text}
        />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre tabIndex={0} className="overflow-x-auto p-3 text-[13px] leading-normal">
        <code>{text}</code>
      </pre>
    </figure>
  )
}
