import { ImageIcon } from 'lucide-react'
import { useWords } from '../words/use-words.ts'
import { markdownWords } from './markdown-words.ts'

/**
 * An image elsewhere: to load it would tell its server that this was read. It opens in a tab of its
 * own, when somebody wants it.
 */
export function OutsideImage({ src, alt }: { src: string; alt: string }) {
  const words = useWords(markdownWords)
  const label = alt === '' ? words.image : alt
  if (src === '') return <span>[{label}]</span>
  return (
    <a
      href={src}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={src}
      className="inline-flex items-center gap-1.5 rounded-lg border border-line px-2 py-0.5 text-sm text-accent"
    >
      <ImageIcon aria-hidden="true" className="size-4" />
      {words.openImage(label, hostOf(src))}
    </a>
  )
}

function hostOf(src: string): string {
  return URL.canParse(src) ? new URL(src).host : src
}
