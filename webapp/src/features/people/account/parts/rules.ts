import { isOldEnough } from "@/lib/dates";
import { EMAIL_MAX } from "@/lib/emails";
import { accountTexts } from "../texts";

const { faults } = accountTexts;

export const rules = {
  email: {
    required: faults.email,
    maxLength: { value: EMAIL_MAX, message: faults.emailLong },
    pattern: { value: /^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/, message: faults.email },
  },
  password: { required: faults.password },
  code: { validate: (code: string) => code.trim() !== "" || faults.code },
  newPassword: {
    required: faults.passwordShort,
    minLength: { value: 8, message: faults.passwordShort },
    maxLength: { value: 128, message: faults.passwordLong },
  },
  firstName: { validate: (name: string) => name.trim() !== "" || faults.firstName },
  lastName: { validate: (name: string) => name.trim() !== "" || faults.lastName },
  phone: {
    required: faults.phone,
    validate: (phone: string) => /^(\+?(00)?2340?|0?)[789][01]\d{8}$/.test(normalizePhone(phone)) || faults.phone,
  },
  dateOfBirth: {
    required: faults.dateOfBirth,
    validate: (day: string) => isOldEnough(day) || faults.tooYoung,
  },
};

/** The second typing of a new password. */
export const repeatOf = (first: () => string) => ({
  validate: (again: string) => again === first() || faults.repeat,
});

/** A code as it is typed from a screen: without the spaces in it. */
export const normalizeCode = (code: string) => code.replace(/\s/g, "");

/** A number without what stands between its digits, and what cannot be seen. */
export const normalizePhone = (phone: string) => phone.normalize("NFKC").replace(/[\s\p{Cf}\p{Pd}()./]/gu, "");
