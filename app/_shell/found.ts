import { notFound } from 'next/navigation';
import { isRefusal } from '@/lib/std';

/** A verb's `not_found` as the page of that name; what belongs to another workspace looks the same. */
export async function found<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (isRefusal(error) && error.code === 'not_found') notFound();
    throw error;
  }
}
