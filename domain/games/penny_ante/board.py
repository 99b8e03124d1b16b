def svg(*a): return ""
