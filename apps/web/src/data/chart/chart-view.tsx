import { coloursOf, toDrawing } from '@dataagent/data/charts'
import type { ChartSpec, DataColumn, DataRow } from '@dataagent/schema'
import { Download } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTheme } from '../../preferences/use-theme.ts'
import { Button } from '../../ui/button.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useLang, useWords } from '../../words/use-words.ts'
import { chartWords } from './chart-words.ts'
import { type Drawing, drawIn, toPng, toSvg } from './draw.ts'

interface ChartViewProps {
  spec: ChartSpec
  columns: readonly DataColumn[]
  rows: readonly DataRow[]
  /** For the names of files that are saved. */
  name: string
}

/** The picture, and the ways to save it. Everything in it is drawn, nothing of it is HTML. */
export function ChartView({ spec, columns, rows, name }: ChartViewProps) {
  const language = useLang()
  const theme = useTheme()
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const drawing = useMemo<Drawing | undefined>(() => {
    if (width === 0) return undefined
    const drawn = toDrawing({ spec, columns, rows, language, theme, width })
    return { ...drawn, width, background: coloursOf(theme).background }
  }, [spec, columns, rows, language, theme, width])

  useEffect(() => {
    if (drawing && box.current) return drawIn(box.current, drawing)
  }, [drawing])

  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <div
        ref={box}
        role="img"
        aria-label={drawing?.description}
        className="w-full min-w-0 overflow-hidden"
        style={{ height: drawing?.height ?? 320 }}
      />
      {drawing && <SavePicture drawing={drawing} name={spec.title ?? name} />}
    </figure>
  )
}

function SavePicture({ drawing, name }: { drawing: Drawing; name: string }) {
  const words = useWords(chartWords)
  const kinds = [
    ['png', () => saveFile(`${name}.png`, toPng(drawing), 'image/png')],
    ['svg', () => saveFile(`${name}.svg`, toSvg(drawing), 'image/svg+xml')],
  ] as const
  return (
    <figcaption className="flex justify-end gap-1">
      {kinds.map(([kind, save]) => (
        <Button
          key={kind}
          kind="quiet"
          size="small"
          title={words.save(words[kind])}
          icon={<Download aria-hidden="true" className="size-3.5" />}
          onClick={save}
        >
          {words[kind]}
        </Button>
      ))}
    </figcaption>
  )
}

/** The width of the element in whole pixels, as it changes. */
function useWidth(box: React.RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return width
}
