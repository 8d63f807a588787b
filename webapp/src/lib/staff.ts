const STAFF = ["Support", "FinanceOps", "Admin"];

/** What the screens offer; the server decides. */
export const isStaff = (roles: string[] = []) => roles.some((role) => STAFF.includes(role));
export const isAdmin = (roles: string[] = []) => roles.includes("Admin");
export const isFinance = (roles: string[] = []) => roles.some((role) => role === "FinanceOps" || role === "Admin");
