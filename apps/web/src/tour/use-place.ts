import { useEffect, useState } from 'react'

export interface Place {
  top: number
  left: number
  width: number
  height: number
}

const everyMs = 250

/** Where on the screen an element is, and where it goes; undefined while it is not there. */
export function usePlace(selector: string): Place | undefined {
  const [place, setPlace] = useState<Place>()
  useEffect(() => {
    function look() {
      const found = document.querySelector(selector)?.getBoundingClientRect()
      setPlace((last) => (found && isSame(last, found) ? last : found && toPlace(found)))
    }
    look()
    const timer = setInterval(look, everyMs)
    addEventListener('resize', look)
    addEventListener('scroll', look, true)
    return () => {
      clearInterval(timer)
      removeEventListener('resize', look)
      removeEventListener('scroll', look, true)
    }
  }, [selector])
  return place
}

function toPlace({ top, left, width, height }: DOMRect): Place {
  return { top, left, width, height }
}

function isSame(a: Place | undefined, b: Place): boolean {
  return a?.top === b.top && a.left === b.left && a.width === b.width && a.height === b.height
}
