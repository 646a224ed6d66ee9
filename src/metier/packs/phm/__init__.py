"""PHM pack: diagnosis of rotating machines from vibration records, trends and remaining life."""
