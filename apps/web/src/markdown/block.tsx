import type { Citations } from '@dataagent/schema'
import { memo, type ReactNode, useMemo } from 'react'
import ReactMarkdown, { type Components, type Options } from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { Citation, Uncovered } from '../data/citations/citation-chip.tsx'
import { markCitations } from '../data/citations/mark-citations.ts'
import { CodeBlock } from './code-block.tsx'
import { OutsideImage } from './outside-image.tsx'

interface BlockProps {
  text: string
  /** Numbers that no query has given. */
  uncovered?: Citations['uncovered'] | undefined
}

/** One block of a text: no HTML of it is taken over. */
export const Block = memo(function Block({ text, uncovered }: BlockProps) {
  const plugins = useMemo<PluggableList>(
    () => [rehypeSanitize, [markCitations, { spans: uncovered ?? [] }]],
    [uncovered],
  )
  return (
    <ReactMarkdown
      skipHtml
      remarkPlugins={[remarkGfm]}
      rehypePlugins={plugins}
      urlTransform={toSafeUrl}
      components={components}
    >
      {text}
    </ReactMarkdown>
  )
})

type PluggableList = NonNullable<Options['rehypePlugins']>

/** Addresses that a click may open. */
function toSafeUrl(url: string): string {
  return /^(https?:\/\/|mailto:)/i.test(url.trim()) ? url.trim() : ''
}

const components: Components = {
  a: ({ href, children }) =>
    href ? (
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="text-accent underline"
        title={href}
      >
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ src, alt }) => <OutsideImage src={typeof src === 'string' ? src : ''} alt={alt ?? ''} />,
  pre: ({ children }) => children,
  code: ({ className, children }) => {
    const language = /language-([\w+#-]+)/.exec(className ?? '')?.[1]
    const text = toText(children)
    if (language === undefined && !text.includes('\n')) {
      return <code className="rounded bg-raised px-1 py-0.5">{children}</code>
    }
    return <CodeBlock language={language} text={text.replace(/\n$/, '')} />
  },
  h1: ({ children }) => <h3 className="text-lg font-semibold">{children}</h3>,
  h2: ({ children }) => <h3 className="text-base font-semibold">{children}</h3>,
  h3: ({ children }) => <h4 className="font-semibold">{children}</h4>,
  ul: ({ children }) => <ul className="list-disc space-y-1 pl-6">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="list-decimal space-y-1 pl-6">
      {children}
    </ol>
  ),
  blockquote: ({ children }) => (
    <blockquote className="border-l-4 border-line pl-3 text-soft">{children}</blockquote>
  ),
  table: ({ children }) => (
    <div className="overflow-x-auto rounded-lg border border-line">
      <table className="w-full border-collapse text-sm">{children}</table>
    </div>
  ),
  th: ({ children, style }) => (
    <th scope="col" className="border-b border-line bg-raised px-3 py-1.5 text-left" style={style}>
      {children}
    </th>
  ),
  td: ({ children, style }) => (
    <td className="border-b border-line px-3 py-1.5" style={style}>
      {children}
    </td>
  ),
  cite: ({ children }) => <Citation text={toText(children)} />,
  mark: ({ children }) => <Uncovered text={toText(children)} />,
  hr: () => <hr className="border-line" />,
}

function toText(children: ReactNode): string {
  return Array.isArray(children) ? children.map(toText).join('') : String(children ?? '')
}
