import { type DragEvent, useRef, useState } from 'react'

/** Takes files that are dropped on an element. Folders and texts are left out. */
export function useDrop(onFiles: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false)
  // Each element that the pointer enters below is told too.
  const depth = useRef(0)
  const holdsFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')

  return {
    isOver,
    handlers: {
      onDragEnter(event: DragEvent) {
        if (!holdsFiles(event)) return
        depth.current += 1
        setOver(true)
      },
      onDragLeave(event: DragEvent) {
        if (!holdsFiles(event)) return
        depth.current -= 1
        if (depth.current <= 0) setOver(false)
      },
      onDragOver(event: DragEvent) {
        if (holdsFiles(event)) event.preventDefault()
      },
      onDrop(event: DragEvent) {
        if (!holdsFiles(event)) return
        event.preventDefault()
        depth.current = 0
        setOver(false)
        onFiles(filesOf(event.dataTransfer))
      },
    },
  }
}

function filesOf({ items }: DataTransfer): File[] {
  return [...items].flatMap((item) => {
    const file = item.kind === 'file' && !item.webkitGetAsEntry()?.isDirectory && item.getAsFile()
    return file ? [file] : []
  })
}
