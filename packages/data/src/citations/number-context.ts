import {
  currencyBefore,
  idBefore,
  labelledIdBefore,
  monthAfter,
  monthBefore,
  ordinalBefore,
  periodAfter,
  periodBefore,
  structureAfter,
  yearBefore,
  yearListAfter,
} from './number-words.ts'

/**
 * What stands around a number in prose. `before` and `after` are short windows, so that every test
 * takes constant time.
 */
export interface NumberContext {
  /** The number as it is written, without its unit. */
  text: string
  before: string
  after: string
  /** The line up to the number. */
  line: string
  /** Whether the number before it was a year, with nothing but a joining word between. */
  followsYear: boolean
}

/** Whether a number says something else than how much: a time, a place in an order, a name. */
export function isNoQuantity(context: NumberContext): boolean {
  return (
    isName(context) ||
    isPeriod(context) ||
    isTime(context) ||
    isOrdinal(context) ||
    isYear(context) ||
    isRatio(context)
  )
}

/** `A12`, `SKU-1001`, `007`, `400-820-8820`, `5G`, `order #9`, `report_2024.csv`. */
function isName({ text, before, after }: NumberContext): boolean {
  if (currencyBefore.test(before)) return false
  if (/[A-Za-z_\\@]$|[A-Za-z_\d]-$|[A-Za-z]\.$|[A-Za-z]\/$/.test(before)) return true
  if (
    /^0\d/.test(text) ||
    /^-\d+-\d/.test(after) ||
    /^_|^\.[A-Za-z_]|^-?[A-Za-z_]*\d*_/.test(after)
  )
    return true
  return idBefore.test(before) || labelledIdBefore.test(before)
}

function isPeriod({ before, after }: NumberContext): boolean {
  if (/^-(?:day|week|month|year|hour|minute|quarter)s?(?![A-Za-z])/i.test(after)) return true
  return periodBefore.test(before) && periodAfter.test(after)
}

/** Times of the day, days and months; the numbers of a date are taken one by one. */
function isTime({ text, before, after }: NumberContext): boolean {
  if (/^\d{1,2}$/.test(text)) {
    const value = Number(text)
    if (/^\s*月|^\s*[-–—~至到]\s*\d{1,2}\s*月/.test(after) && value <= 12) return true
    if (/^\s*[日号](?!均)/.test(after) && value <= 31) return true
    if (/^\s*(?:点(?![击位数])|时(?![间长段]))/.test(after) && value <= 24) return true
    if (/^\s*年\s*\d{1,2}\s*月/.test(after)) return true
    if (/^\s*季度/.test(after) && value <= 4) return true
    if (/\d\s*[点时]\s*$/.test(before) && /^\s*分/.test(after)) return true
    if (/^:\d{2}(?!\d)/.test(after) || /\d:$/.test(before)) return true
    if (/^\s*(?:am|pm|a\.m\.|p\.m\.)(?![A-Za-z])/i.test(after)) return true
    if (/(?:19|20)\d\d[-–—/](?:\d{1,2}[-/])?$/.test(before)) return true
    if (monthBefore.test(before) || monthAfter.test(after)) return value <= 31
    if (/^\s*(?:st|nd|rd|th)(?![A-Za-z])/.test(after)) return true
    if (/(?:UTC|GMT)[+-]$|[QH][1-4]\s?['’]$|FY\s?['’]$/i.test(before)) return true
  }
  if (/\d:\d{2}:$|\d{1,2}:$/.test(before) && /^\d{2}(?:\.\d+)?$/.test(text)) return true
  return /\d{4}-\d{2}-\d{2}T$/.test(before)
}

/** 3rd, 第3, top 5, 前 10 名, (1), and the numbers of lists and headings. */
function isOrdinal({ text, before, after, line }: NumberContext): boolean {
  if (/^(?:st|nd|rd|th)(?![A-Za-z])/.test(after) || ordinalBefore.test(before)) return true
  if (/前\s*$/.test(before) && !/^\s*(?:%|元|万|亿|千)/.test(after)) return true
  const whole = /^\d{1,2}$/.test(text)
  if (whole && /^[\s>#*+-]*[(（]?$/.test(line) && /^[.)、）:：]\s*(?=\D|$)/.test(after)) return true
  if (whole && /[(（]$/.test(before) && /^[)）]/.test(after) && Number(text) <= 20) return true
  if (/^\s*#{1,6}\s*$/.test(line) && /^\d+(?:\.\d+)?$/.test(text) && /^[.、]?\s+\D/.test(after)) {
    return true
  }
  return whole && Number(text) <= 20 && structureAfter.test(after)
}

function isYear({ text, before, after, line, followsYear }: NumberContext): boolean {
  if (!/^(?:19|20)\d\d$/.test(text) || currencyBefore.test(before)) return false
  if (/^\s*(?:年|财年|Q[1-4]|H[12]|[-/]\d{1,2}(?!\d)|[-–—~]\s*(?:19|20)\d\d(?!\d))/.test(after))
    return true
  if (monthBefore.test(before) || /\d{1,2}(?:st|nd|rd|th)?,\s+$/.test(before)) return true
  if (/(?:19|20)\d\d\s*[-–—~至到]\s*$/.test(before) || followsYear) return true
  if (yearBefore.test(before) || yearListAfter.test(after)) return true
  const bounded = /^\s*(?:[)）|:：,，]|$|[A-Za-z\u4e00-\u9fff])/.test(after)
  return bounded && (/^[\s>#*+|-]*$/.test(line) || /[(（|]\s*$/.test(before))
}

/** 3:1, 24/7 and 1/3: nothing that a value could equal. */
function isRatio({ text, before, after }: NumberContext): boolean {
  if (!/^\d{1,2}$/.test(text)) return false
  return (
    /^\s?[:/：]\s?\d{1,2}(?![\d.])/.test(after) || /(?:^|[^\d.,])\d{1,2}\s?[:/：]\s?$/.test(before)
  )
}
